/// How often clients of one address may do something: a number of times at once, and the same number again in each interval.
public struct Rate: Equatable, Sendable {
    /// The number of times; at least 1.
    public let count: Int
    /// The time until as many are allowed again; at least a millisecond.
    public let interval: Duration

    /// Creates a rate of `count` times in an interval.
    public init(_ count: Int, per interval: Duration) {
        self.count = max(1, count)
        self.interval = max(.milliseconds(1), interval)
    }
}
