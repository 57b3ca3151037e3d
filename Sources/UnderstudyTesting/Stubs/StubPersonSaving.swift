public import BundledControllers
public import BusinessLogic

/// Stands in for what keeps email addresses. Does what a test gives it; asked for anything else, it fails the test.
public struct StubPersonSaving: PersonSaving {
    private let keep: StubbedFunction<@Sendable (_ email: String, _ client: ClientContext) async throws -> Void>

    /// A fake that keeps addresses so; that must not be asked, unless given.
    public init(
        _ keep: (@Sendable (_ email: String, _ client: ClientContext) async throws -> Void)? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.keep = StubbedFunction(
            keep,
            "StubPersonSaving.save",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public func save(email: String, for client: ClientContext) async throws {
        try await keep()(email, client)
    }
}
