package import BusinessLogic
import FoundationEssentials
package import SessionStorage
package import UnderstudyPages

/// What an event adds to a session in the database.
package struct EventContent: Decodable, Equatable {
    let commands: [CommandHistory.Entry]
    /// The response, if the request had an idempotency key.
    package let response: IdempotencyCache.Entry?

    /// The event as JSON from which it can be decoded.
    ///
    /// - Throws: `EncodingError`.
    package var json: [UInt8] {
        get throws {
            var value: Value.Object = ["commands": .array(commands.map(\.stored))]
            if let response { value["response"] = try response.stored }
            return Value.object(value).json
        }
    }
}

extension Session {
    /// The change that stores the session after an event. The caller holds the session's lock.
    ///
    /// - Parameters:
    ///   - start: the number of the session's last command before the event; `nil` if the event gave no commands.
    ///   - key: the event's idempotency key.
    ///   - userChange: the login or logout, if the event is one.
    ///   - id: the session's ID after the event.
    ///   - size: the bytes that the session counts for after the event.
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded.
    package func change(
        since start: Int? = nil,
        key: String? = nil,
        userChange: SessionChange.UserChange? = nil,
        id: SessionID? = nil,
        size: Int,
        at now: Timestamp
    ) throws -> SessionChange {
        let version = sharedVersion?.number ?? 0
        let event = EventContent(
            commands: start.map { Array(history.current(since: $0)) } ?? [],
            response: key.flatMap { idempotencyCache[$0] }
        )
        return SessionChange(
            session: StoredSession(
                id: (id ?? shardEntry.id).bytes,
                user: identity.user?.id,
                created: created,
                // Otherwise, a new session would count as used; see SessionClass.
                lastUsed: version == 0 ? created : now,
                content: try snapshotWithoutEvents.json,
                address: address?.bytes,
                key: values.key
            ),
            version: version,
            token: SessionToken.random().id.bytes,
            event: try event.json,
            oldestEvent: sharedVersion?.oldestEvent(of: self) ?? 0,
            size: size,
            userChange: userChange
        )
    }

    /// A session in memory with the state of one in the database.
    ///
    /// - Parameter onFailure: called for each part that starts afresh, with the reason.
    /// - Throws: ``DamagedSession``, or `DecodingError`.
    package convenience init(
        _ shared: SharedSession,
        id: SessionID,
        pages: Pages,
        log: CollaboratorLog?,
        onFailure: @escaping (DiscardedPart, any Error) -> Void
    ) throws {
        try shared.check()
        var content = try SessionSnapshot(json: shared.session.content)
        try content.check(user: shared.session.user)
        let decoder = JSONDecoder()
        let column = "session_event.content"
        let events = try shared.events.map { try decoder.decode(EventContent.self, from: $0.content, column: column) }
        content.history = events.flatMap(\.commands)
        try CommandHistory.check(content.history, column: column)
        content.idempotencyCache = IdempotencyCache()
        for response in events.compactMap(\.response) { content.idempotencyCache.append(response) }
        self.init(
            id: id,
            now: shared.session.created,
            address: shared.session.address.flatMap(AddressHash.init(bytes:)),
            log: log
        )
        restore(content, pages: pages, onFailure: onFailure)
        sharedVersion = SharedVersion(shared, events: events)
    }
}
