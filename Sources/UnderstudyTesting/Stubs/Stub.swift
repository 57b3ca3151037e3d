public import BundledControllers
public import BusinessLogic

/// A collaborator whose one function is a closure that a test provides.
///
/// The parameters of the function are one tuple, so that one type of stub is enough for any number of them.
public struct Stub<Input, Output>: Sendable {
    fileprivate let function: @Sendable (Input) async throws -> Output

    /// Creates a stub that calls a closure.
    public init(_ function: @escaping @Sendable (Input) async throws -> Output) {
        self.function = function
    }
}

/// Checks credentials with a closure that a test provides. The closure returns the user, or `nil` for wrong credentials.
public typealias StubCredentials = Stub<(username: String, password: String, client: ClientContext), User?>

extension StubCredentials: CredentialChecking {
    public func verify(username: String, password: String, for client: ClientContext) async throws -> VerifiedUser? {
        try await function((username, password, client)).map { VerifiedUser($0) }
    }
}

/// Returns products from a closure that a test provides.
public typealias StubRepository = Stub<Void, [Product]>

extension StubRepository: Repository {
    public func get() async throws -> [Product] { try await function(()) }
}

/// Saves user IDs with a closure that a test provides. The closure returns `false` if the user ID belongs to another user.
public typealias StubUserIDSaving = Stub<(userID: String, client: ClientContext), Bool>

extension StubUserIDSaving: UserIDSaving {
    public func save(userID: String, for client: ClientContext) async throws -> Bool {
        try await function((userID, client))
    }
}
