public import BundledControllers
import BusinessLogic

/// Stands in for where products come from. Does what a test gives it; asked for anything else, it fails the test.
public struct StubRepository: Repository {
    private let fetch: StubbedFunction<@Sendable () async throws -> [Product]>

    /// A fake that has those products; that must not be asked, unless given.
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
