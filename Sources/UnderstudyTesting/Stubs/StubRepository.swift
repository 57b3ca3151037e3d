public import BundledControllers
import BusinessLogic

/// Returns products from a closure that a test provides.
/// Without a closure, a call fails the test and throws ``UnimplementedStub``.
public struct StubRepository: Repository {
    private let fetch: StubbedFunction<@Sendable () async throws -> [Product]>

    /// Creates a stub that calls a closure to get the products.
    public init(
        _ fetch: (@Sendable () async throws -> [Product])? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.fetch = StubbedFunction(
            fetch,
            "StubRepository.get",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public func get() async throws -> [Product] {
        try await fetch()()
    }
}
