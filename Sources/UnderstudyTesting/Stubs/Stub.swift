/// A collaborator whose one function is a closure that a test provides. Without a closure, a call fails the test and throws
/// ``UnimplementedStub``.
///
/// The parameters of the function are one tuple, so that one type of stub is enough for any number of them.
public struct Stub<Input, Output>: Sendable {
    private let function: (@Sendable (Input) async throws -> Output)?
    private let site: CallSite
    private let test = PendingIssues.Test.current

    /// Creates a stub that calls a closure.
    public init(
        _ function: (@Sendable (Input) async throws -> Output)? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.function = function
        site = CallSite(fileID, filePath, line, column)
    }

    /// Calls the closure.
    ///
    /// - Parameter name: the name of the function, for the failure.
    /// - Throws: what the closure throws; ``UnimplementedStub`` if the test gives no closure. Fails the test in this case.
    func call(_ name: String, _ input: Input) async throws -> Output {
        if let function { return try await function(input) }
        PendingIssues.fail("\(name) was called, but the test gives no implementation.", at: site, in: test)
        throw UnimplementedStub(name: name)
    }
}

/// The error of a stub that was called without an implementation. The test fails even if it catches the error.
public struct UnimplementedStub: Error, Equatable {
    /// The function that was called.
    let name: String
}
