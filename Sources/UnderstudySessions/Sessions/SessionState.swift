package import BusinessLogic
package import UnderstudyPages

extension Session {
    /// What later events depend on, as JSON with sorted members: the user, the values, and the pages with the states of their controllers
    /// and screens. Sessions with equal states continue alike, whatever their histories are.
    ///
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded.
    package var state: Value {
        get throws {
            encoded(SessionValues.encoding(), try screens.map { try PageSnapshot($0, isSorted: true).stored })
        }
    }

    /// ``state`` without the screens, which controllers cannot read. Each `Timestamp` and `Date` is an object with the member
    /// `Timestamp.mark`.
    ///
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded.
    package var outline: Value {
        get throws {
            let pages = try screens.map { screen -> Value in
                [
                    "page": .string(screen.page.name), "version": Value(screen.controller.version),
                    "state": .string(try screen.controller.state.encoded(isSorted: true, marksTimes: true)),
                ]
            }
            return encoded(SessionValues.encoding(marksTimes: true), pages)
        }
    }

    private func encoded(_ encode: (any Codable & Sendable) -> Value?, _ pages: [Value]) -> Value {
        var state: Value.Object = ["values": .object(values.encoded(encode)), "pages": .array(pages)]
        if let user = identity.user { state["user"] = user.stored }
        if let key = values.key { state["key"] = .string(key) }
        if let versions = values.versions { state["valueVersions"] = .object(versions) }
        return Value.object(state).sorted
    }

    /// Replaces the state of a new session by one that ``state`` has returned.
    ///
    /// - Throws: an error if it is not such a state, or if a page's or a value's type has changed.
    package func restore(state: Value.Object, pages: Pages) throws {
        var members = state
        members["created"] = 0
        members["sequence"] = 0
        members["history"] = []
        members["idempotencyCache"] = ["entries": []]
        let snapshot = try SessionSnapshot(json: Value.object(members).json)
        var failure: (any Error)?
        restore(
            snapshot,
            pages: pages,
            onValueFailure: { failure = $1 },
            onFailure: { failure = $1 }
        )
        if let failure { throw failure }
    }
}

extension Value {
    /// The value with the members of all objects sorted by name, so that equal values have equal texts.
    package var sorted: Value {
        switch self {
        case .array(let elements): return .array(elements.map(\.sorted))
        case .object(let object):
            var sorted = Value.Object(capacity: object.count)
            for (name, value) in object.sorted(by: { $0.name < $1.name }) { sorted.append(name, value.sorted) }
            return .object(sorted)
        case .null, .boolean, .number, .string: return self
        }
    }
}
