internal import SessionStorage

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

/// An audit log that discards all events.
public struct NoAuditLog: AuditLog {
    /// Creates the log.
    public init() {}

    public func record(_ event: AuditEvent) {}
}
