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
