public import BundledControllers
public import BusinessLogic

/// Checks credentials with a closure that a test provides.
/// Without a closure, a call fails the test and throws ``UnimplementedStub``.
public struct StubCredentials: CredentialChecking {
    private let check:
        StubbedFunction<
            @Sendable (_ username: String, _ password: String, _ client: ClientContext) async throws -> User?
        >

    /// Creates a stub that calls a closure to check credentials. The closure returns the user, or `nil` for wrong credentials.
    public init(
        _ check: (@Sendable (_ username: String, _ password: String, _ client: ClientContext) async throws -> User?)? =
            nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.check = StubbedFunction(
            check,
            "StubCredentials.authenticate",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public func authenticate(username: String, password: String, for client: ClientContext) async throws -> User? {
        try await check()(username, password, client)
    }
}
