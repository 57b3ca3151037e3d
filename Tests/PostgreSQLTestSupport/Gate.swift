import Dispatch
import Synchronization

/// Where the body of a transaction waits for its test.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isReached = Atomic(false)

    package init() {}

    /// Blocks until the test opens the gate.
    package func pass() {
        isReached.store(true, ordering: .releasing)
        semaphore.wait()
    }

    /// Calls `body` while a transaction waits, and then lets the transaction continue.
    @discardableResult
    package func whileClosed<Value>(_ body: () async throws -> Value) async throws -> Value {
        defer { semaphore.signal() }
        while !isReached.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
        return try await body()
    }
}
