public import BundledControllers
public import BusinessLogic

/// Saves user IDs with a closure that a test provides.
/// Without a closure, a call fails the test and throws ``UnimplementedStub``.
public struct StubUserIDSaving: UserIDSaving {
    private let keep: StubbedFunction<@Sendable (_ userID: String, _ client: ClientContext) async throws -> Bool>

    /// Creates a stub that calls a closure to save a user ID. The closure returns `false` if the user ID belongs to
    /// another user.
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
