public import BusinessLogic

/// Counts the failures to log in, and says when there have been too many.
public struct LoginAttempts: Codable, Equatable, Sendable {
    /// How many failures there have been since the last success.
    public private(set) var failures = 0
    /// When the last of them was.
    public private(set) var lastFailure: Timestamp?

    /// How many failures are allowed, and how long they then count.
    public struct Limit: Sendable {
        /// The number of failures after which no attempt is made any more; at least 1.
        public let failures: Int
        /// How long after the last failure the next attempt may be made.
        public let interval: Duration

        /// A limit; five failures and 15 minutes unless said otherwise.
        public init(failures: Int = 5, interval: Duration = .seconds(15 * 60)) {
            self.failures = failures
            self.interval = interval
        }
    }

    /// No failure yet.
    public init() {}

    /// Whether the limit has been reached. When its interval has passed, the count starts again.
    mutating func areExhausted(_ limit: Limit, at now: Timestamp) -> Bool {
        guard failures >= limit.failures, let lastFailure else { return false }
        if now < lastFailure + limit.interval { return true }
        self = LoginAttempts()
        return false
    }

    mutating func addFailure(at now: Timestamp) {
        failures += 1
        lastFailure = now
    }
}
