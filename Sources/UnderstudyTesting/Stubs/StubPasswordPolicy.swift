public import BundledControllers
public import BusinessLogic

/// Stands in for the rules for passwords. Does what a test gives it; asked for anything else, it fails the test.
public struct StubPasswordPolicy: PasswordPolicy {
    private let judge: StubbedFunction<@Sendable (_ password: String) -> Message?>

    /// A fake that judges passwords so; that must not be asked, unless given.
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
