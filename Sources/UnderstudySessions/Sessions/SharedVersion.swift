import BusinessLogic
package import SessionStorage
package import Synchronization

/// What the database contains of a session in memory: its version, and its last events.
///
/// Use it only while holding the session's lock.
// A class, because a session that is only in memory has none: its property then takes eight bytes.
package final class SharedVersion {
    private struct Event {
        let version: Int
        /// The number of the session's last command after the event.
        let sequence: Int
        let keys: [String]
    }

    /// The number of commits that the session consists of.
    package private(set) var number = 0
    private var events: [Event] = []
    private var replacesEvents = false

    package init() {}

    package init(_ session: StoredSession, events: [EventContent]) {
        number = session.version
        var sequence = 0
        self.events = zip(session.events, events).map { stored, event in
            sequence = event.commands.last?.sequence ?? sequence
            return Event(version: stored.version, sequence: sequence, keys: event.responses.map(\.key))
        }
    }

    /// `false` for a session that is not stored yet, or that was saved.
    var hasEvents: Bool { !events.isEmpty }

    /// Replaces the events in the database at the next commit, because secrets in them were erased.
    func replaceEvents() { (events, replacesEvents) = ([], true) }

    /// Counts an event that has been committed, with the session after the event and the event's idempotency key.
    package func add(_ session: Session, key: String? = nil) {
        number += 1
        let keys = hasEvents ? key.map { [$0] } ?? [] : session.idempotencyCache.entries.map(\.key)
        let oldest = oldestEvent(of: session)
        if oldest > 0 { events.removeAll { $0.version < oldest } }
        events.append(Event(version: number, sequence: session.history.sequence, keys: keys))
        replacesEvents = false
    }

    /// A client may send any number of events that give no commands.
    static let maximumEvents = 512

    /// The oldest event that the session still needs; 0 to remove no events, because few are obsolete.
    func oldestEvent(of session: Session) -> Int {
        if replacesEvents { return number + 1 }
        if events.count >= Self.maximumEvents { return events[events.count - Self.maximumEvents / 2].version }
        let firstCommand = session.history.kept.first?.sequence ?? session.history.sequence + 1
        let obsolete = events.prefix { event in
            event.sequence < firstCommand && event.keys.allSatisfy { session.idempotencyCache[$0] == nil }
        }
        // After a logout, all events are obsolete and must not stay.
        guard !obsolete.isEmpty, obsolete.count >= 16 || obsolete.count == events.count else { return 0 }
        return events.dropFirst(obsolete.count).first?.version ?? number + 1
    }
}

/// The sessions in a database, which several servers may share. The sessions in memory are copies of them.
package final class SharedSessions: Sendable {
    package let store: any SessionStore
    /// The number of the last revocation that this server knows. Knowing an old one is safe: a login of a user whose sessions were
    /// revoked since runs again.
    package let lastRevocation = Atomic<Int>(0)

    package init(_ store: any SessionStore) {
        self.store = store
    }
}
