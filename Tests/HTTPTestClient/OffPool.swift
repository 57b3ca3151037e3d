internal import Foundation

/// Runs blocking work on its own thread.
///
/// The cooperative pool has one thread per processor. A test that blocks there blocks other tests, and the server that it waits for.
public func offPool<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: work)) }
    }
}
