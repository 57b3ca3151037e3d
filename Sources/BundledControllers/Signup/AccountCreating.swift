public import BusinessLogic

/// Creates the accounts of users who sign up.
///
/// Implement it to confirm email addresses: send a link to the address, and create the account when the link is opened. As
/// long as an account is created at once, a client can find out whether another user has an account: it signs up with that
/// user's address, and then logs in with the password that it has just chosen. If the login fails, there was an account.
public protocol AccountCreating: Sendable {
    /// Creates an account. When this returns, the account is stored for good, or an account had that email address already.
    /// Both cases take the same time and give the client the same response.
    ///
    /// - Parameters:
    ///   - name: the name of its owner.
    ///   - email: a valid email address.
    ///   - password: a password that the policy accepts.
    ///   - client: the client that signs up.
    /// - Throws: if it cannot be created now. The attempt does not count then.
    func createAccount(name: String, email: String, password: String, for client: ClientContext) async throws
}

/// Creates no accounts: a sign-up succeeds, and nothing is stored.
public struct NoAccounts: AccountCreating {
    /// Creates a collaborator that creates no accounts.
    public init() {}

    public func createAccount(
        name: String,
        email: String,
        password: String,
        for client: ClientContext = ClientContext()
    ) {}
}
