public import BundledControllers
public import BusinessLogic

/// Creates accounts with a closure that a test provides.
public typealias StubAccountCreating = Stub<
    StubbedFunction<(name: String, email: String, password: String, client: ClientContext), Void>
>

extension StubAccountCreating: AccountCreating {
    public func createAccount(name: String, email: String, password: String, for client: ClientContext) async throws {
        try await implementation(of: "StubAccountCreating.createAccount")((name, email, password, client))
    }
}

/// Checks credentials with a closure that a test provides. The closure returns the user, or `nil` for wrong credentials.
public typealias StubCredentials = Stub<
    StubbedFunction<(username: String, password: String, client: ClientContext), User?>
>

extension StubCredentials: CredentialChecking {
    public func authenticate(username: String, password: String, for client: ClientContext) async throws -> User? {
        try await implementation(of: "StubCredentials.authenticate")((username, password, client))
    }
}

/// Judges passwords with a closure that a test provides. The closure returns the objection, or `nil` to accept the password.
/// Without a closure, a call fails the test and accepts the password.
public typealias StubPasswordPolicy = Stub<@Sendable (_ password: String) -> Message?>

extension StubPasswordPolicy: PasswordPolicy {
    public func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        (try? implementation(of: "StubPasswordPolicy.objection"))?(password)
    }
}

/// Saves email addresses with a closure that a test provides, and has no saved address. The closure returns `false` if no user is
/// logged in.
public typealias StubPersonSaving = Stub<StubbedFunction<(email: String, client: ClientContext), Bool>>

extension StubPersonSaving: PersonSaving {
    public func savedEmail(for client: ClientContext) -> String? { nil }

    public func save(email: String, for client: ClientContext) async throws -> Bool {
        try await implementation(of: "StubPersonSaving.save")((email, client))
    }
}

/// Returns products from a closure that a test provides.
public typealias StubRepository = Stub<StubbedFunction<Void, [Product]>>

extension StubRepository: Repository {
    public func get() async throws -> [Product] {
        try await implementation(of: "StubRepository.get")(())
    }
}

/// Saves user IDs with a closure that a test provides. The closure returns `false` if the user ID belongs to another user.
public typealias StubUserIDSaving = Stub<StubbedFunction<(userID: String, client: ClientContext), Bool>>

extension StubUserIDSaving: UserIDSaving {
    public func save(userID: String, for client: ClientContext) async throws -> Bool {
        try await implementation(of: "StubUserIDSaving.save")((userID, client))
    }
}
