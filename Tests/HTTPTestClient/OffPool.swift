internal import Glibc

/// Runs blocking work on its own thread.
///
/// The cooperative pool has one thread per processor. A test that blocks there blocks other tests, and the server that it waits for.
public func offPool<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        // Owned by the thread, once there is one.
        let work = Unmanaged.passRetained(
            BlockingWork { continuation.resume(with: Swift.Result(catching: work)) }
        )
        let failure = startThread(work.toOpaque())
        if failure != 0 {
            work.release()
            continuation.resume(throwing: TestClientError.system("pthread_create", failure))
        }
    }
}

private final class BlockingWork: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// Starts a detached thread that consumes the `BlockingWork` behind the pointer; the error number, or 0.
private func startThread(_ work: UnsafeMutableRawPointer) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 512 * 1024)
    var thread = pthread_t()
    return pthread_create(&thread, &attributes, runBlockingWork, work)
}

private func runBlockingWork(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    Unmanaged<BlockingWork>.fromOpaque(pointer).takeRetainedValue().run()
    return nil
}
