public import BundledControllers
public import BusinessLogic

/// Stands in for whoever knows the passwords. Does what a test gives it; asked for anything else, it fails the test.
public struct StubCredentials: CredentialChecking {
    private let check:
        StubbedFunction<@Sendable (_ username: String, _ password: String, _ client: ClientContext) async throws -> User?>

    /// A fake that checks credentials so; that must not be asked, unless given.
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
