/// The function of a stub. If the test gives no implementation, a call fails the test.
struct StubbedFunction<Function: Sendable>: Sendable {
    private let function: Function?
    private let name: String
    private let site: CallSite
    private let test: PendingIssues.Test?

    /// - Parameters:
    ///   - function: the implementation; `nil` if a call must fail the test.
    ///   - name: the name of the function, for the failure.
    ///   - site: where the stub was created.
    init(_ function: Function?, _ name: String, _ site: CallSite) {
        self.function = function
        self.name = name
        self.site = site
        test = .current
    }

    /// Returns the implementation.
    ///
    /// - Throws: ``UnimplementedStub`` if the test gives no implementation. Fails the test in this case.
    func callAsFunction() throws -> Function {
        if let function { return function }
        PendingIssues.fail("\(name) was called, but the test gives no implementation.", at: site, in: test)
        throw UnimplementedStub(name: name)
    }
}

/// The error of a stub that was called without an implementation. The test fails even if it catches the error.
public struct UnimplementedStub: Error, Equatable {
    /// The function that was called.
    let name: String
}
