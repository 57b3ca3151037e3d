public import BundledControllers
public import BusinessLogic

/// Saves email addresses with a closure that a test provides.
/// Without a closure, a call fails the test and throws ``UnimplementedStub``.
public struct StubPersonSaving: PersonSaving {
    private let keep: StubbedFunction<@Sendable (_ email: String, _ client: ClientContext) async throws -> Void>

    /// Creates a stub that calls a closure to save an address.
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
