public import BundledControllers
public import BusinessLogic

/// Stands in for what creates accounts. Does what a test gives it; asked for anything else, it fails the test.
public struct StubAccountCreating: AccountCreating {
    private let create:
        StubbedFunction<
            @Sendable (_ name: String, _ email: String, _ password: String, _ client: ClientContext) async throws ->
                Void
        >

    /// A fake that creates accounts so; that must not be asked, unless given.
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
