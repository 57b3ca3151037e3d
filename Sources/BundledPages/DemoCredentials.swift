public import BundledControllers
public import BusinessLogic

/// The credentials of the demonstration: the user batman with the password bruce, and the users of another source.
public struct DemoCredentials: CredentialChecking {
    private let others: any CredentialChecking
    private let batman = FixedCredentials(["batman": "bruce"])

    /// Creates the credentials of the demonstration.
    ///
    /// - Parameter others: verifies the passwords of all users except batman. By default, no other user can log in.
    public init(others: any CredentialChecking = FixedCredentials()) {
        self.others = others
    }

    public func verify(username: String, password: String, for client: ClientContext) async throws
        -> VerifiedUser?
    {
        if username == "batman" { return batman.verify(username: username, password: password) }
        return try await others.verify(username: username, password: password, for: client)
    }
}
