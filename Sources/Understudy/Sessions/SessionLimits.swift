import BusinessLogic

/// How long sessions live, how large they may be, and how many there may be.
public struct SessionLimits: Sendable {
    /// How long a session may go unused.
    public var idle: Duration = .seconds(30 * 60)
    /// How long a session may live, used or not.
    public var lifetime: Duration = .seconds(12 * 60 * 60)
    /// How many sessions there may be, at least 1. Above it, sessions without a logged-in user end first, among them those
    /// that only their first request has used, and then the one unused for longest.
    public var maximum = 100_000
    /// How many bytes a session may hold. Old commands and responses are removed to keep it; an event that would still
    /// exceed it gets `sessionFull`.
    public var maximumSize = 64 << 10
    /// How many bytes all sessions together may hold. Above it, sessions end in the same order as above ``maximum``.
    public var maximumMemory = 256 << 20
    /// How many sessions without a logged-in user there may be from one address, of IPv6 from one /64; at least 1. Above it,
    /// the oldest of them ends. `nil` for no limit.
    public var maximumPerAddress: Int? = 1000

    /// Thirty minutes, twelve hours, a hundred thousand sessions of 64 KiB in 256 MiB, a thousand from one address.
    public init() {}
}
