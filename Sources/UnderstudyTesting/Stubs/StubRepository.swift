public import BundledControllers
import BusinessLogic

/// Provides products in a test with a closure. Without a closure, a call fails the test.
public struct StubRepository: Repository {
    private let fetch: StubbedFunction<@Sendable () async throws -> [Product]>

    /// A stub that provides products with that closure.
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
