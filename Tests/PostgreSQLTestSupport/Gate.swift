import Dispatch

/// Where the body of a transaction waits for its test.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    /// Ends when the transaction waits.
    private let reached = AsyncStream<Never>.makeStream()

    package init() {}

    /// Blocks until the test opens the gate.
    package func pass() {
        reached.continuation.finish()
        semaphore.wait()
    }

    /// Calls `body` while a transaction waits, and then lets the transaction continue.
    @discardableResult
    package func whileClosed<Value>(_ body: () async throws -> Value) async throws -> Value {
        defer { semaphore.signal() }
        for await _ in reached.stream {}
        return try await body()
    }
}
