package import BusinessLogic
package import UnderstudyPages

extension Session {
    /// What later events depend on, as JSON with sorted members: the user, the values, and the pages with the states of their controllers
    /// and screens. Sessions with equal states continue alike, whatever their histories are.
    ///
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded.
    package var state: Value {
        get throws { try SessionCopy(self).state }
    }

    /// ``state`` as ``SessionCopy/outline`` describes it.
    ///
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded.
    package var outline: Value {
        get throws { try SessionCopy(self).outline }
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

/// What later events of a session depend on, at one moment. Taking the copy takes less time than encoding it, which any thread can do later.
package struct SessionCopy: Sendable {
    /// What a page and its screen contain.
    struct Screen: Sendable {
        let page: String
        let version: Int
        let state: any Codable & Sendable
        let recorder: ResponseRecorder.State
        let updates: UpdateProgress?
    }

    private let user: User?
    private let key: String?
    private let savedValues: Value.Object
    private let values: [(name: String, content: any Codable & Sendable)]
    private let versions: Value.Object?
    private let screens: [Screen]

    /// Copies a session. Call only while holding the session's lock.
    package init(_ session: Session) {
        user = session.identity.user
        key = session.values.key
        (savedValues, values) = session.values.contents
        versions = session.values.versions
        screens = session.screens.map { screen in
            Screen(
                page: screen.page.name,
                version: screen.controller.version,
                state: screen.controller.state,
                recorder: screen.recorder.state,
                updates: screen.updates?.progress
            )
        }
    }

    /// The copy as JSON, as ``Session/state`` describes it.
    ///
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded.
    package var state: Value {
        get throws { encoded(SessionValues.encoding(), try screens.map { try PageSnapshot($0).stored }) }
    }

    /// The same without the screens, which controllers cannot read. Each `Timestamp` and `Date` is an object with the member
    /// `Timestamp.mark`.
    ///
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded.
    package var outline: Value {
        get throws {
            let pages = try screens.map { screen -> Value in
                [
                    "page": .string(screen.page), "version": Value(screen.version),
                    "state": .string(try screen.state.encoded(isSorted: true, marksTimes: true)),
                ]
            }
            return encoded(SessionValues.encoding(marksTimes: true), pages)
        }
    }

    private func encoded(_ encode: (any Codable & Sendable) -> Value?, _ pages: [Value]) -> Value {
        var encoded = savedValues
        for (name, content) in values { encoded[name] = encode(content) }
        var state: Value.Object = ["values": .object(encoded), "pages": .array(pages)]
        if let user { state["user"] = user.stored }
        if let key { state["key"] = .string(key) }
        if let versions { state["valueVersions"] = .object(versions) }
        return Value.object(state).sorted
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
