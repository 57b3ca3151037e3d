public import BundledControllers
public import BusinessLogic

/// Stands in for what keeps user IDs. Does what a test gives it; asked for anything else, it fails the test.
public struct StubUserIDSaving: UserIDSaving {
    private let keep: StubbedFunction<@Sendable (_ userID: String, _ client: ClientContext) async throws -> Bool>

    /// A fake that keeps user IDs so; that must not be asked, unless given.
    public init(
        _ keep: (@Sendable (_ userID: String, _ client: ClientContext) async throws -> Bool)? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.keep = StubbedFunction(
            keep,
            "StubUserIDSaving.save",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public func save(userID: String, for client: ClientContext) async throws -> Bool {
        try await keep()(userID, client)
    }
}
