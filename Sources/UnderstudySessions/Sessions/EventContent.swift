package import BusinessLogic
import FoundationEssentials
package import SessionStorage
package import UnderstudyPages

/// What an event adds to a session in the database.
package struct EventContent: Decodable, Equatable {
    let commands: [CommandHistory.Entry]
    /// The response, if the request had an idempotency key. The first event after the session was saved contains all that are stored.
    package let responses: [IdempotencyCache.Entry]

    package var json: [UInt8] {
        get throws {
            let responses = try responses.map { try $0.stored }
            return Value.object(["commands": .array(commands.map(\.stored)), "responses": .array(responses)]).json
        }
    }
}

extension Session {
    /// The change that stores the session after an event. The caller holds the session's lock.
    ///
    /// - Parameters:
    ///   - start: the number of the session's last command before the event; `nil` if the event gave no commands.
    ///   - key: the event's idempotency key.
    ///   - id: the session's ID after the event.
    ///   - size: the bytes that the session counts for after the event.
    package func change(
        since start: Int? = nil,
        key: String? = nil,
        userChange: SessionChange.UserChange? = nil,
        id: SessionID? = nil,
        size: Int,
        at now: Timestamp
    ) throws -> SessionChange {
        let version = sharedVersion?.number ?? 0
        // The content of a session that was saved contains them, and the content that replaces it does not.
        let isFirst = sharedVersion?.hasEvents != true
        let event = EventContent(
            commands: Array(isFirst ? history.kept : history.current(since: start ?? history.sequence)),
            responses: isFirst ? idempotencyCache.entries : key.flatMap { idempotencyCache[$0] }.map { [$0] } ?? []
        )
        return SessionChange(
            session: StoredSession(
                id: (id ?? self.id).bytes,
                user: identity.user?.id,
                browser: identity.browser?.description,
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

    /// The content of the stored session is restored later. `created` is on the clock of the service.
    package convenience init(_ stored: StoredSession, id: SessionID, created: Timestamp, log: CollaboratorLog?) {
        self.init(
            id: id,
            now: created,
            address: stored.address.flatMap(AddressHash.init(bytes:)),
            observer: log.map(Observer.log)
        )
    }

    /// Replaces everything that the session stores by what a store contains, of which the session in memory is a copy if `isShared`. The caller has
    /// checked the columns.
    ///
    /// - Throws: ``DamagedSession``, or `DecodingError`.
    package func restore(
        _ stored: StoredSession,
        pages: Pages,
        isShared: Bool,
        onFailure: @escaping (DiscardedPart, any Error) -> Void
    ) throws {
        var content = try SessionSnapshot(json: stored.content)
        try content.check(user: stored.user)
        let decoder = JSONDecoder()
        let column = "session_event.content"
        let events = try stored.events.map { try decoder.decode(EventContent.self, from: $0.content, column: column) }
        content.history += events.flatMap(\.commands)
        try CommandHistory.check(content.history, column: column)
        for response in events.flatMap(\.responses) { content.idempotencyCache.append(response) }
        restore(content, pages: pages, onFailure: onFailure)
        if isShared { sharedVersion = SharedVersion(stored, events: events) }
    }
}
