/// A collaborator whose one function is a closure that a test provides. Without a closure, a call fails the test and throws
/// ``UnimplementedStub``.
public struct Stub<Function: Sendable>: Sendable {
    private let function: Function?
    private let site: CallSite
    private let test: PendingIssues.Test?

    /// - Parameters:
    ///   - function: the implementation; `nil` if a call must fail the test.
    ///   - site: where the test creates the stub.
    init(_ function: Function?, at site: CallSite) {
        self.function = function
        self.site = site
        test = .current
    }

    /// Creates a stub that calls an asynchronous closure.
    public init<Input, Output>(
        _ function: StubbedFunction<Input, Output>? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) where Function == StubbedFunction<Input, Output> {
        self.init(function, at: CallSite(fileID, filePath, line, column))
    }

    /// Creates a stub that calls a synchronous closure.
    public init<Input, Output>(
        _ function: (@Sendable (Input) -> Output)? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) where Function == @Sendable (Input) -> Output {
        self.init(function, at: CallSite(fileID, filePath, line, column))
    }

    /// Returns the closure.
    ///
    /// - Parameter name: the name of the function, for the failure.
    /// - Throws: ``UnimplementedStub`` if the test gives no closure. Fails the test in this case.
    func implementation(of name: String) throws -> Function {
        if let function { return function }
        PendingIssues.fail("\(name) was called, but the test gives no implementation.", at: site, in: test)
        throw UnimplementedStub(name: name)
    }
}

/// The function of a ``Stub``. Its parameters are one tuple, so that one type of stub is enough for any number of them.
public typealias StubbedFunction<Input, Output> = @Sendable (Input) async throws -> Output

/// The error of a stub that was called without an implementation. The test fails even if it catches the error.
public struct UnimplementedStub: Error, Equatable {
    /// The function that was called.
    let name: String
}
