public import BundledControllers
public import BusinessLogic

/// Judges passwords in a test with a closure. Without a closure, a call fails the test.
public struct StubPasswordPolicy: PasswordPolicy {
    private let judge: StubbedFunction<@Sendable (_ password: String) -> Message?>

    /// A stub that judges passwords with that closure.
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
