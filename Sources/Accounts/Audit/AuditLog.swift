/// A destination for audit events. Any number of tasks may use it at the same time.
public protocol AuditLog: Sendable {
    /// Records an event. Must not wait for a disk.
    func record(_ event: AuditEvent)
}

/// An audit log that discards all events.
public struct NoAuditLog: AuditLog {
    /// Creates the log.
    public init() {}

    public func record(_ event: AuditEvent) {}
}
