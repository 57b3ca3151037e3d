public import BundledControllers
public import BusinessLogic

/// Judges passwords with a closure that a test provides.
/// Without a closure, a call fails the test and accepts the password.
public struct StubPasswordPolicy: PasswordPolicy {
    private let judge: StubbedFunction<@Sendable (_ password: String) -> Message?>

    /// Creates a stub that calls a closure to judge a password. The closure returns the objection, or `nil` to accept the password.
    public init(
        _ judge: (@Sendable (_ password: String) -> Message?)? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.judge = StubbedFunction(
            judge,
            "StubPasswordPolicy.objection",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        (try? judge())?(password)
    }
}
