import BusinessLogic

/// The count of failed logins, with a limit.
public struct LoginAttempts: Codable, Equatable, Sendable {
    /// The number of failures since the last success, or since the limit's interval last ended.
    private(set) var failures = 0
    private(set) var lastFailure: Timestamp?

    /// The number of allowed failures, and how long further attempts are rejected.
    public struct Limit: Sendable {
        /// Attempts are rejected after so many failures, at least 1.
        let failures: Int
        /// The milliseconds from the last failure until the next attempt is allowed.
        // Not a `Duration`, because adding one takes 200 instructions.
        private let interval: Int64

        /// A limit; by default five failures and 15 minutes.
        public init(failures: Int = 5, interval: Duration = .seconds(15 * 60)) {
            self.failures = failures
            self.interval = interval.wholeMilliseconds
        }

        func end(after lastFailure: Timestamp) -> Timestamp {
            Timestamp(milliseconds: lastFailure.milliseconds.addingSaturated(interval))
        }
    }

    /// Resets the count if the interval has passed. A failure in the future, from a clock that was ahead, counts as one now.
    mutating func areExhausted(_ limit: Limit, at now: Timestamp) -> Bool {
        guard failures >= limit.failures, let last = lastFailure.map({ min($0, now) }) else { return false }
        lastFailure = last
        if now < limit.end(after: last) { return true }
        self = LoginAttempts()
        return false
    }

    /// `nil` if the limit has not been reached.
    func lockEnd(_ limit: Limit) -> Timestamp? { failures >= limit.failures ? lastFailure.map(limit.end) : nil }

    mutating func addFailure(at now: Timestamp) {
        failures = failures.addingSaturated(1)
        lastFailure = now
    }
}
