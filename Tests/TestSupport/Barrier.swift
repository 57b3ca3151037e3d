import Dispatch

/// Blocks the threads that reach it, and with them their event loops, until a test lifts it.
package final class Barrier: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    /// The number of threads that have reached the barrier.
    package let arrivals = Tally()

    package init() {}

    /// Blocks until the barrier is lifted, or for ten minutes, which is longer than a suite may take. Lets one thread through for each ``lift()``.
    package func block() {
        arrivals.add()
        _ = semaphore.wait(timeout: .now() + 600)
    }

    /// Calls `body` while a thread is blocked, and then lets it through.
    @discardableResult
    package func whileBlocked<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await arrivals.reaches(1)
        defer { lift() }
        return try await body()
    }

    /// Lets one thread through.
    package func lift() { semaphore.signal() }
}
