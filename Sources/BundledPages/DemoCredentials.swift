public import BundledControllers
public import BusinessLogic

/// The credentials of the demonstration: the articles' account batman / bruce, and those of other accounts.
public struct DemoCredentials: CredentialChecking {
    private let others: any CredentialChecking
    private let batman = FixedCredentials(["batman": "bruce"])

    /// - Parameter others: verifies all usernames except batman.
    public init(others: any CredentialChecking = NoCredentials()) {
        self.others = others
    }

    public func authenticate(username: String, password: String, for client: ClientContext) async throws -> User? {
        if username == "batman" { return batman.authenticate(username: username, password: password) }
        return try await others.authenticate(username: username, password: password, for: client)
    }
}
