/// What a fake does when it is asked: what a test has given it, or nothing but failing the test.
struct StubbedFunction<Function: Sendable>: Sendable {
    private let function: Function?
    private let name: String
    private let site: CallSite
    private let test: PendingIssues.Test?

    /// - Parameters:
    ///   - function: what it does; `nil` where it is not to be asked.
    ///   - name: what is asked, for the failure.
    ///   - site: where the fake was made.
    init(_ function: Function?, _ name: String, _ site: CallSite) {
        self.function = function
        self.name = name
        self.site = site
        test = .current
    }

    /// What it does.
    ///
    /// - Throws: ``UnimplementedStub``, where it is not to be asked; the test has failed then.
    func callAsFunction() throws -> Function {
        if let function { return function }
        PendingIssues.fail("\(name) was called, and the test does not say what it does.", at: site, in: test)
        throw UnimplementedStub(name: name)
    }
}

/// A fake was asked for something that the test has not given it.
public struct UnimplementedStub: Error, Equatable {
    /// What was asked.
    public let name: String
}
