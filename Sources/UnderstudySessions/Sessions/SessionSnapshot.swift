package import BusinessLogic
import FoundationEssentials
package import UnderstudyPages

/// Everything that a session stores, as a value that can be encoded, and from which a session can be restored.
package struct SessionSnapshot: Decodable, Equatable, Sendable {
    package let created: Timestamp
    package let user: User?
    let browser: String?
    /// `nil` if no page has asked for it.
    package var key: String?
    let sequence: Int
    package internal(set) var history: [CommandHistory.Entry]
    package internal(set) var idempotencyCache: IdempotencyCache
    package let values: Value.Object
    /// The versions of the values by name; those that are not 1.
    let valueVersions: Value.Object?
    let pages: [PageSnapshot]
}

extension SessionSnapshot {
    package var json: [UInt8] {
        get throws {
            var value: Value.Object = [
                "created": Value(Int(created.milliseconds)), "sequence": Value(sequence),
                "history": .array(history.map(\.stored)), "idempotencyCache": try idempotencyCache.stored,
                "values": .object(values), "pages": .array(pages.map(\.stored)),
            ]
            value["user"] = user?.stored
            value["browser"] = browser.map(Value.string)
            value["key"] = key.map(Value.string)
            value["valueVersions"] = valueVersions.map(Value.object)
            return Value.object(value).json
        }
    }

    /// Reads a snapshot that ``json`` has returned, perhaps in an earlier version of the program.
    ///
    /// - Throws: ``DamagedSession``, or `DecodingError`.
    package init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(Self.self, from: json, column: "content")
        try check()
    }
}

extension User {
    package var stored: Value {
        var value: Value.Object = ["username": .string(username)]
        value["id"] = id.map(Value.string)
        if !roles.isEmpty { value["roles"] = .array(roles.map { .string($0) }) }
        return .object(value)
    }
}

/// A part of a saved session that starts afresh, because it cannot be restored: a page or a session value, by its name.
package enum DiscardedPart {
    case page(String)
    case value(String)
}

extension Session {
    /// Call only while holding the session's lock. Throws `EncodingError` if the state of a controller cannot be encoded.
    package var snapshot: SessionSnapshot {
        get throws {
            var snapshot = try snapshotWithoutEvents
            snapshot.history = Array(history.kept)
            snapshot.idempotencyCache = idempotencyCache
            return snapshot
        }
    }

    /// Everything that the session stores, except its commands and its responses, which a database contains with their events.
    var snapshotWithoutEvents: SessionSnapshot {
        get throws {
            SessionSnapshot(
                created: created,
                user: identity.user,
                browser: identity.browser?.description,
                key: values.key,
                sequence: history.sequence,
                history: [],
                idempotencyCache: IdempotencyCache(),
                values: values.snapshot,
                valueVersions: values.versions,
                pages: try screens.map { try PageSnapshot($0) }
            )
        }
    }

    /// Replaces everything that the session stores. A page whose state cannot be restored starts afresh. Pages that are no longer served are left
    /// out. `onFailure` is called for each part that starts afresh, with the reason; for a session value when a page requests it.
    package func restore(
        _ snapshot: SessionSnapshot,
        pages: Pages,
        onFailure: @escaping (DiscardedPart, any Error) -> Void = { _, _ in }
    ) {
        saved = nil
        history.restore(kept: snapshot.history, sequence: snapshot.sequence)
        identity.restore(snapshot.user, snapshot.browser.flatMap { Browser($0) })
        // Before the controllers, which may ask for it.
        values.restoreKey(snapshot.key)
        idempotencyCache = snapshot.idempotencyCache
        values.restore(snapshot.values, versions: snapshot.valueVersions ?? [:]) { onFailure(.value($0), $1) }
        values.lastSize = values.size
        for saved in snapshot.pages {
            guard let page = pages[named: saved.page] else { continue }
            let screen = add(page)
            do {
                try values.requireOneType()
                try saved.restore(screen)
                screen.updateSize()
            } catch {
                removeLastScreen()
                onFailure(.page(page.name), error)
            }
        }
    }
}

extension SessionValues {
    fileprivate func restore(
        _ snapshot: Value.Object,
        versions: Value.Object,
        onFailure: @escaping (String, any Error) -> Void
    ) {
        restore(snapshot, versions: versions, onFailure: onFailure) { value, type, initial in
            try JSONDecoder().decode(type, from: value.json) {
                String(decoding: try JSONEncoder().encode(initial), as: UTF8.self)
            }
        }
    }

    /// A value that cannot be encoded is left out.
    package var snapshot: Value.Object { encoded { Value(encoding: $0) } }
}

extension JSONDecoder {
    /// Decodes a value that may have been saved before members were added to its type. `initial` returns JSON with the members that it lacks.
    func decode<Content: Decodable>(
        _ type: Content.Type,
        from saved: [UInt8],
        completedBy initial: () throws -> String
    ) throws -> Content {
        do {
            return try decode(type, from: Data(saved))
        } catch DecodingError.keyNotFound {
            let initial = try JSONReader.read(Array(initial().utf8))
            return try decode(type, from: Data(JSONReader.read(saved).completed(by: initial).json))
        }
    }
}

extension Value {
    fileprivate func completed(by other: Value) -> Value {
        guard case .object(var members) = self, case .object(let others) = other else { return self }
        for (name, value) in others { members[name] = members[name]?.completed(by: value) ?? value }
        return .object(members)
    }
}

extension Session {
    /// What later events depend on, as JSON with sorted members: the user, the values, and the pages with the states of their controllers
    /// and screens. Sessions with equal states continue alike, whatever their histories are.
    package var state: Value {
        get throws {
            encoded({ Value(encoding: $0) }, try screens.map { try PageSnapshot($0, isSorted: true).stored })
        }
    }

    /// ``state`` without the screens, which controllers cannot read. Each `Timestamp` and `Date` is an object with the member
    /// `Timestamp.mark`.
    package var outline: Value {
        get throws {
            let pages = try screens.map { screen -> Value in
                [
                    "page": .string(screen.page.name), "version": Value(screen.controller.version),
                    "state": .string(try screen.controller.state.encoded(isSorted: true, marksTimes: true)),
                ]
            }
            return encoded({ Value(encoding: $0, marksTimes: true) }, pages)
        }
    }

    private func encoded(_ encode: (any Codable & Sendable) -> Value?, _ pages: [Value]) -> Value {
        var state: Value.Object = ["values": .object(values.encoded(encode)), "pages": .array(pages)]
        if let user = identity.user { state["user"] = user.stored }
        if let key = values.key { state["key"] = .string(key) }
        if let versions = values.versions { state["valueVersions"] = .object(versions) }
        return Value.object(state).sorted
    }

    /// Replaces the state of a new session by one that ``state`` has returned. Throws an error if it is not such a state, or if a page's or a value's
    /// type has changed.
    package func restore(state: Value.Object, pages: Pages) throws {
        var members = state
        members["created"] = 0
        members["sequence"] = 0
        members["history"] = []
        members["idempotencyCache"] = ["entries": []]
        let snapshot = try SessionSnapshot(json: Value.object(members).json)
        var failure: (any Error)?
        restore(snapshot, pages: pages) { failure = $1 }
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
