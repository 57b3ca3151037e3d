import SessionStorage
import Synchronization

/// A destination for audit events. Any number of tasks may use it at the same time.
public protocol AuditLog: Sendable {
    /// Records an event at once. Returns when it is recorded, or could not be. Must not block the thread.
    func record(_ event: AuditEvent) async

    /// Records an event if the changes of the current unit of work are committed; at once without a unit of work.
    ///
    /// By default, it is recorded after the commit. A log in the database of the changes records it with them.
    func recordAtCommit(_ event: AuditEvent) async
}

extension AuditLog {
    public func recordAtCommit(_ event: AuditEvent) async {
        guard let work = UnitOfWork.current else { return await record(event) }
        work.addAction { await record(event) }
    }
}

/// An audit log in memory, which keeps the last events.
public final class MemoryAuditLog: AuditLog {
    private let limit: Int
    private let onRecord: @Sendable (AuditEvent) -> Void
    private let recorded = Mutex<[AuditEvent]>([])

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of events that are kept.
    ///   - onRecord: is called after each event, for example to log it.
    public init(limit: Int = 1_000, onRecord: @escaping @Sendable (AuditEvent) -> Void = { _ in }) {
        self.limit = limit
        self.onRecord = onRecord
    }

    /// The last events, the oldest first.
    public var events: [AuditEvent] { recorded.withLock { $0 } }

    public func record(_ event: AuditEvent) {
        recorded.withLock { events in
            events.append(event)
            events.removeFirst(max(0, events.count - limit))
        }
        onRecord(event)
    }
}
