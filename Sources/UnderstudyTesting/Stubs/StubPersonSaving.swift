public import BundledControllers
public import BusinessLogic

/// Saves email addresses with a closure that a test provides, and has no saved address unless the test gives one.
/// Without a closure, a call fails the test and throws ``UnimplementedStub``.
public struct StubPersonSaving: PersonSaving {
    private let keep: StubbedFunction<@Sendable (_ email: String, _ client: ClientContext) async throws -> Bool>

    private let saved: String?

    /// Creates a stub that calls a closure to save an address. The closure returns `false` if no user is logged in.
    ///
    /// - Parameters:
    ///   - saved: the address that the user has saved before.
    ///   - keep: saves an address.
    ///   - fileID: the file in which a failure is reported; the caller's by default.
    ///   - filePath: the path of that file.
    ///   - line: the line in that file.
    ///   - column: the column in that line.
    public init(
        saved: String? = nil,
        _ keep: (@Sendable (_ email: String, _ client: ClientContext) async throws -> Bool)? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.saved = saved
        self.keep = StubbedFunction(
            keep,
            "StubPersonSaving.save",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public func savedEmail(for client: ClientContext) -> String? { saved }

    public func save(email: String, for client: ClientContext) async throws -> Bool {
        try await keep()(email, client)
    }
}
