/// The function of a stub: the one that the test has given, or one that fails the test.
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

    /// The implementation.
    ///
    /// - Throws: ``UnimplementedStub`` if the test has not provided a function. The test has failed then.
    func callAsFunction() throws -> Function {
        if let function { return function }
        PendingIssues.fail("\(name) was called, but the test gives no implementation.", at: site, in: test)
        throw UnimplementedStub(name: name)
    }
}

/// The error of a stub that was called without an implementation. The test has failed.
public struct UnimplementedStub: Error, Equatable {
    /// The function that was called.
    let name: String
}
