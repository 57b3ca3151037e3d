/// Keeps accounts. Used from any number of tasks at once; what a call has returned from is kept for good.
///
/// Where the store cannot do its work now, its methods throw
/// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
public protocol AccountStore: Sendable {
    /// Adds accounts, all or none.
    ///
    /// - Throws: ``AccountConflict`` where another account, in the store or among these, has the email address, the username
    ///   or the user ID.
    func add(_ accounts: [Account]) async throws

    /// The account of that id.
    func account(_ id: AccountID) async throws -> Account?

    /// The account of that username.
    func account(username: AccountKey) async throws -> Account?

    /// The account of that email address.
    func account(email: AccountKey) async throws -> Account?

    /// Accounts in the order of their usernames' keys.
    ///
    /// - Parameters:
    ///   - username: the one behind which to begin; `nil` for the first one.
    ///   - limit: how many at the most.
    func accounts(after username: AccountKey?, limit: Int) async throws -> [Account]

    /// Changes an account as one step: nobody sees or changes it meanwhile. Its id and when it was created stay.
    ///
    /// - Parameters:
    ///   - id: the account.
    ///   - revokingSessions: whether everybody who is logged in to it has to log in again.
    ///   - change: is called at most once.
    /// - Returns: the account as it is now; `nil` where there is none.
    /// - Throws: ``AccountConflict``; nothing has changed then. What `change` throws, likewise.
    @discardableResult
    func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @Sendable (inout Account) throws -> Void
    ) async throws -> Account?

    /// Removes an account, which ends its sessions.
    ///
    /// - Returns: whether there was one.
    func remove(_ id: AccountID) async throws -> Bool

    /// The accounts whose sessions have been ended since the ending of that number, in the order of their numbers: of each
    /// account the last one.
    ///
    /// - Parameter number: 0 for all that are known.
    func sessionRevocations(after number: Int) async throws -> [SessionRevocation]
}

/// Says that whoever was logged in to an account is so no more.
public struct SessionRevocation: Equatable, Sendable {
    /// Its place among all endings of the store, from 1.
    public let number: Int
    /// The account.
    public let account: AccountID

    /// An ending.
    public init(number: Int, account: AccountID) {
        self.number = number
        self.account = account
    }
}

/// What another account has already.
public enum AccountConflict: Error, Equatable, Sendable {
    /// The email address, by its ``AccountKey``.
    case email
    /// The username, by its ``AccountKey``.
    case username
    /// The user ID.
    case userID
}

extension AccountStore {
    /// Adds an account.
    ///
    /// - Throws: ``AccountConflict``.
    public func add(_ account: Account) async throws {
        try await add([account])
    }
}
