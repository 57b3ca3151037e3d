/// Creates the accounts of those who sign up.
public protocol AccountCreating: Sendable {
    /// Creates an account. When this returns, it is there for good, or somebody had one with that email address already:
    /// who signs up is not told which, so that nobody finds out who has an account.
    ///
    /// - Parameters:
    ///   - name: what its owner is called.
    ///   - email: a valid email address.
    ///   - password: one that the policy has nothing to object to.
    ///   - visitor: who signs up.
    /// - Throws: where it could not be created. No attempt is spent then.
    func createAccount(name: String, email: String, password: String, for visitor: Visitor) async throws
}

/// Creates nothing: who signs up is told so and forgotten.
public struct NoAccounts: AccountCreating {
    /// A place that creates nothing.
    public init() {}

    public func createAccount(name: String, email: String, password: String, for visitor: Visitor = Visitor()) {}
}
