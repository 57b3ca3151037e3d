public import BundledControllers
public import BusinessLogic

/// Stands in for what keeps user IDs. Does what a test gives it; asked for anything else, it fails the test.
public struct FakeUserIDSaving: UserIDSaving {
    private let keep: Stub<@Sendable (_ userID: String, _ client: ClientContext) async throws -> Bool>

    /// A fake that keeps user IDs so; that must not be asked, unless given.
    public init(
        _ keep: (@Sendable (_ userID: String, _ client: ClientContext) async throws -> Bool)? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.keep = Stub(
            keep,
            "FakeUserIDSaving.save",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public func save(userID: String, for client: ClientContext) async throws -> Bool {
        try await keep()(userID, client)
    }
}
