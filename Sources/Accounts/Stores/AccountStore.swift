/// A database of accounts.
///
/// Its methods may be called from any number of tasks at the same time. When a method returns, its changes are durable. If the store
/// is temporarily unavailable, its methods throw ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
public protocol AccountStore: Sendable {
    /// Adds all of the accounts, or none.
    ///
    /// - Throws: ``AccountConflict`` if another account, in the store or in the list, has the same email address, username,
    ///   user ID or passkey. An ID that is taken counts as an email address that is taken.
    func add(_ accounts: [Account]) async throws

    /// The account with that ID, or `nil`.
    func account(_ id: AccountID) async throws -> Account?

    /// The account with that username, or `nil`.
    func account(username: AccountKey) async throws -> Account?

    /// The account with that email address, or `nil`.
    func account(email: AccountKey) async throws -> Account?

    /// One page of the accounts, in the order of the keys of their usernames.
    ///
    /// - Parameters:
    ///   - key: the key after which the page begins: the ``Account/usernameKey`` of the last account of the page before; `nil` for the first page.
    ///   - limit: the maximum number of accounts. A negative limit counts as 0.
    func accounts(after key: [UInt8]?, limit: Int) async throws -> [Account]

    /// Changes an account atomically. Its ID and the time of its creation stay.
    ///
    /// - Parameters:
    ///   - id: the account.
    ///   - revokingSessions: whether to revoke the account's sessions, so that its user must log in again on all devices.
    ///   - change: is called at most once.
    /// - Returns: the changed account; `nil` if there is no account with that ID.
    /// - Throws: ``AccountConflict``, or what `change` throws. Then nothing has changed.
    @discardableResult
    func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account?

    /// Removes an account and revokes its sessions.
    ///
    /// - Returns: `false` if there is no account with that ID.
    func remove(_ id: AccountID) async throws -> Bool

    /// The latest revocation of each account, if its number is greater than `number`, in the order of the numbers.
    ///
    /// - Parameter number: the number of the last revocation that you know; 0 for all revocations.
    func sessionRevocations(after number: Int) async throws -> [SessionRevocation]
}

extension AccountStore {
    /// Adds an account.
    ///
    /// - Throws: ``AccountConflict``.
    public func add(_ account: Account) async throws {
        try await add([account])
    }
}

extension AccountStore {
    /// The account for a name that an operator types: its username, else its email address, else its ID.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    package func account(named name: String) async throws -> Account? {
        let key = AccountKey(name)
        if let account = try await account(username: key) { return account }
        if let account = try await account(email: key) { return account }
        return try await account(AccountID(name))
    }
}
