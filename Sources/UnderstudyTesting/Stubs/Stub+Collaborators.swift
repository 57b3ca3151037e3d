public import BundledControllers
public import BusinessLogic

/// Checks credentials with a closure that a test provides. The closure returns the user, or `nil` for wrong credentials.
public typealias StubCredentials = Stub<(username: String, password: String, client: ClientContext), User?>

extension StubCredentials: CredentialChecking {
    public func verify(username: String, password: String, for client: ClientContext) async throws
        -> VerifiedUser?
    {
        try await call("StubCredentials.authenticate", (username, password, client)).map { VerifiedUser($0) }
    }
}

/// Returns products from a closure that a test provides.
public typealias StubRepository = Stub<Void, [Product]>

extension StubRepository: Repository {
    public func get() async throws -> [Product] { try await call("StubRepository.get", ()) }
}

/// Saves user IDs with a closure that a test provides. The closure returns `false` if the user ID belongs to another user.
public typealias StubUserIDSaving = Stub<(userID: String, client: ClientContext), Bool>

extension StubUserIDSaving: UserIDSaving {
    public func save(userID: String, for client: ClientContext) async throws -> Bool {
        try await call("StubUserIDSaving.save", (userID, client))
    }
}
