/// Limits on the number, the size and the lifetime of sessions.
public struct SessionLimits: Sendable {
    /// The time after which an unused session expires.
    public var idle: Duration = .seconds(30 * 60)
    /// The time after which every session expires.
    public var lifetime: Duration = .seconds(12 * 60 * 60)
    /// The maximum number of sessions, at least 1. Above it, the service ends the session that has been unused longest. It first
    /// ends those of an account beyond its ten newest, then those that only one request has used, then those without a logged-in user.
    public var maximum = 100_000
    /// The maximum size of a session in bytes. To stay below it, the service removes old commands and responses. An event that
    /// would still exceed it gets `sessionFull`.
    public var maximumSize = 64 << 10
    /// The maximum size of all sessions in bytes. Above it, the service ends sessions in the same order as for ``maximum``.
    public var maximumMemory = 256 << 20
    /// The maximum number of sessions without a logged-in user from one address (for IPv6, from one /64), at least 1. Above it,
    /// the service ends the oldest of them. `nil` means no limit.
    public var maximumPerAddress: Int? = 1000

    /// The defaults: 30 minutes, 12 hours, 100,000 sessions of 64 KiB in 256 MiB, 1,000 from one address.
    public init() {}
}
