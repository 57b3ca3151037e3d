public import BusinessLogic

/// The number of failed logins since the last successful one.
public struct FailureCount: Equatable, Sendable {
    /// The number of failures. A login counts as failed until its password has been verified.
    public var failures: Int
    /// The time of the last failure.
    public var lastFailure: Timestamp?
    /// The number of attempts that were rejected without verification, because they came too early. Counting them gives a
    /// rejected attempt the same committed write as any other.
    public var refused: Int

    /// A count; empty by default.
    public init(failures: Int = 0, lastFailure: Timestamp? = nil, refused: Int = 0) {
        self.failures = failures
        self.lastFailure = lastFailure
        self.refused = refused
    }

    /// The number of failures in a database. A negative one is damaged, and counts as many, so that it admits no attempts.
    package static func stored(_ failures: Int64) -> Int { failures < 0 ? .max : Int(failures) }
}

/// Limits how often a password of one account can be guessed, from any number of sessions and machines.
///
/// After five failures in a row, the next attempt is verified only after a delay. Each further failure doubles the delay,
/// from 30 seconds to at most 15 minutes. So at most twelve attempts are verified in the first hour, and four in each later
/// hour. This is "login throttling" of the OWASP Authentication Cheat Sheet, within NIST SP 800-63B's limit of 100.
enum LoginThrottle {
    /// The number of failures in a row without consequences.
    static let freeFailures = 5

    private static let firstDelay: Int64 = 30
    private static let maximumDelay: Int64 = 15 * 60

    /// Whether an attempt may be verified now. If so, it counts as a failure until its password has been verified, so that
    /// simultaneous attempts cannot exceed the limit.
    ///
    /// A failure in the future, from a clock that was ahead, counts as one now.
    static func admit(_ count: inout FailureCount, at now: Timestamp) -> Bool {
        count.lastFailure = count.lastFailure.map { min($0, now) }
        if count.failures >= freeFailures, let last = count.lastFailure, now < last + delay(after: count.failures) {
            count.refused = count.refused.addingSaturated(1)
            return false
        }
        count.failures = count.failures.addingSaturated(1)
        count.lastFailure = now
        return true
    }

    /// The delay between the last of that many failures and the next attempt that may be verified.
    static func delay(after failures: Int) -> Duration {
        guard failures >= freeFailures else { return .zero }
        return .seconds(min(maximumDelay, firstDelay << Int64(min(failures - freeFailures, 16))))
    }
}

extension FailureCount {
    /// The end of the current delay; `nil` if the next attempt is verified.
    package func lockedUntil(at now: Timestamp) -> Timestamp? {
        guard failures >= LoginThrottle.freeFailures, let lastFailure else { return nil }
        let end = min(lastFailure, now) + LoginThrottle.delay(after: failures)
        return now < end ? end : nil
    }
}
