public import BundledControllers
public import BusinessLogic

/// Saves user IDs in a test with a closure. Without a closure, a call fails the test.
public struct StubUserIDSaving: UserIDSaving {
    private let keep: StubbedFunction<@Sendable (_ userID: String, _ client: ClientContext) async throws -> Bool>

    /// A stub that saves user IDs with that closure.
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
