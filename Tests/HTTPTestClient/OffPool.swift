internal import Dispatch
internal import Glibc

/// Runs blocking work on its own thread.
///
/// The cooperative pool has one thread per processor. A test that blocks there blocks other tests, and the server that it waits for.
public func offPool<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try startThread { continuation.resume(with: Swift.Result(catching: work)) }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

private final class BlockingWork: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// Runs the work on a detached thread.
func startThread(_ work: @escaping @Sendable () -> Void) throws(TestClientError) {
    // Owned by the thread, once there is one.
    let work = Unmanaged.passRetained(BlockingWork(run: work))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 512 * 1024)
    var thread = pthread_t()
    let failure = pthread_create(&thread, &attributes, runBlockingWork, work.toOpaque())
    guard failure == 0 else {
        work.release()
        throw .system("pthread_create", failure)
    }
}

private func runBlockingWork(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    Unmanaged<BlockingWork>.fromOpaque(pointer).takeRetainedValue().run()
    return nil
}
