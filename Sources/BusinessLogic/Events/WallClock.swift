/// A source of the current time. Pass it to a type, so that a test can set the time. All objects of a process should use the same one.
public protocol WallClock: Sendable {
    /// The time now. It jumps if an operator or a time server sets the clock.
    var now: Timestamp { get }

    /// The time that ``now`` would be if the clock had never been set since the process started. It never runs backwards.
    ///
    /// Use it for durations within one process. Do not store it, because other processes have another one. The default implementation
    /// returns ``now``.
    var steady: Timestamp { get }

    /// Whether the time can be trusted. If not, a service removes nothing that has expired, and `/readyz` returns 503. The default
    /// implementation returns `true`.
    var isReliable: Bool { get }
}

extension WallClock {
    public var steady: Timestamp { now }

    public var isReliable: Bool { true }
}
