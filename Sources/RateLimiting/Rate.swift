/// How often clients of one address may do something: `count` times at once, and `count` more times in each interval.
public struct Rate: Equatable, Sendable {
    /// The number of times, at least 1.
    public let count: Int
    /// The duration in which an address gets all `count` uses back, one by one; at least a millisecond.
    public let interval: Duration

    /// Creates a rate of `count` times in an interval. Clamps a count below 1 to 1, and a shorter interval to a millisecond.
    public init(_ count: Int, per interval: Duration) {
        self.count = max(1, count)
        self.interval = max(.milliseconds(1), interval)
    }
}
