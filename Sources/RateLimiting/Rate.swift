/// How often something may be done from one address: so many times at once, and again and again as time passes.
public struct Rate: Equatable, Sendable {
    /// How many times at once; at least 1.
    public let count: Int
    /// How long it takes until as many are allowed anew; longer than zero.
    public let interval: Duration

    /// So many times in an interval.
    public init(_ count: Int, per interval: Duration) {
        self.count = max(1, count)
        self.interval = max(.milliseconds(1), interval)
    }
}
