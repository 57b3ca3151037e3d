public import BusinessLogic

/// Keeps count of failed logins. Used from any number of tasks at once, and from several processes on one database.
///
/// Where the store cannot do its work now, its methods throw
/// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
public protocol ThrottleStore: Sendable {
    /// Changes the count of a key as one step: nobody sees or changes it meanwhile. When this returns, the change is kept
    /// for good.
    ///
    /// - Parameters:
    ///   - key: whose failures are counted.
    ///   - change: is called at most once, with a count of nothing where there is none yet.
    /// - Returns: what `change` returns.
    func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @Sendable (inout FailureCount) -> Result
    ) async throws -> Result
}

/// What failed logins are counted by.
public enum ThrottleKey: Hashable, Sendable {
    /// An account.
    case account(AccountID)
    /// The names that nobody has, spread over so many counts that few meet by chance, and so few that they need little
    /// room: 0 to 65,535.
    case stranger(UInt16)

    /// The key as it is stored: `account:ID` or `stranger:NUMBER`.
    public var text: String {
        switch self {
        case .account(let id): "account:\(id)"
        case .stranger(let number): "stranger:\(number)"
        }
    }
}

/// Failed logins since the last one that succeeded.
public struct FailureCount: Equatable, Codable, Sendable {
    /// How many there were, those that are being verified included.
    public var failures: Int
    /// When the last of them was.
    public var lastFailure: Timestamp?
    /// How many further attempts were refused unseen, because they came too early. They are counted so that a refused
    /// attempt takes the same committed write as any other.
    public var refused: Int

    /// No failure yet, or so many.
    public init(failures: Int = 0, lastFailure: Timestamp? = nil, refused: Int = 0) {
        self.failures = failures
        self.lastFailure = lastFailure
        self.refused = refused
    }
}
