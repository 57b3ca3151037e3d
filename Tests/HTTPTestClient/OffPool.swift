internal import Foundation

/// Runs blocking work on its own thread.
///
/// The cooperative pool has one thread per processor. A test that blocks there blocks other tests, and the server that it waits for.
public func offPool<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        startThread { continuation.resume(with: Swift.Result(catching: work)) }
    }
}

/// Runs the work on a detached thread.
func startThread(_ work: @escaping @Sendable () -> Void) {
    let thread = Thread(block: work)
    // A stack of the usual 8 MiB does not fit into the memory that some tests leave, and Foundation does not report that.
    thread.stackSize = 512 * 1024
    thread.start()
}
