/// A destination for audit events. Used from any number of tasks at once.
public protocol AuditLog: Sendable {
    /// Records an event. Must not wait for a disk.
    func record(_ event: AuditEvent)
}

/// An audit log that discards all events.
public struct NoAuditLog: AuditLog {
    /// A log that discards all events.
    public init() {}

    public func record(_ event: AuditEvent) {}
}
