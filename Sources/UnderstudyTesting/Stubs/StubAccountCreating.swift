public import BundledControllers
public import BusinessLogic

/// Creates accounts with a closure that a test provides.
/// Without a closure, a call fails the test and throws ``UnimplementedStub``.
public struct StubAccountCreating: AccountCreating {
    private let create:
        StubbedFunction<
            @Sendable (_ name: String, _ email: String, _ password: String, _ client: ClientContext) async throws ->
                Void
        >

    /// Creates a stub that calls a closure to create an account.
    public init(
        _ create: (
            @Sendable (_ name: String, _ email: String, _ password: String, _ client: ClientContext) async throws ->
                Void
        )? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.create = StubbedFunction(
            create,
            "StubAccountCreating.createAccount",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public func createAccount(name: String, email: String, password: String, for client: ClientContext) async throws {
        try await create()(name, email, password, client)
    }
}
