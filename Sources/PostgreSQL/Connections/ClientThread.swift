internal import CPostgreSQL
internal import Glibc
internal import Synchronization
internal import ThreadExecutors

/// The one thread that does all input and output of a pool. It executes the jobs of an actor, and waits for sockets with epoll.
///
/// Sockets are examined before jobs run, so a job never uses a connection that was already closed when the thread woke up.
final class ClientThread: Sendable {
    let executor: ThreadExecutor
    /// The sockets that wake the thread. Only the thread uses it.
    let poller: SocketPoller
    private let isStopping = Atomic(false)

    init() throws(PostgreSQLError) {
        let wakeup = eventfd(0, CPostgreSQL_event_flags)
        guard wakeup >= 0 else { throw .noDescriptor }
        executor = ThreadExecutor(wakeup: wakeup)
        poller = try SocketPoller(wakeup: wakeup)
    }

    /// Starts the thread, which runs until ``stop()``.
    func start(_ driver: PoolDriver) throws(PostgreSQLError) {
        let context = Unmanaged.passRetained(Run(thread: self, driver: driver))
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, runClientThread, context.toOpaque())
        guard failure == 0 else {
            context.release()
            throw .unavailable(reason: "cannot start a thread: \(String(cString: strerror(failure)))")
        }
        pthread_detach(thread)
    }

    /// Ends the thread after its current iteration.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        executor.submit {}
    }

    /// The driver does not outlive its pool, whose end stops the thread.
    fileprivate final class Run {
        private let thread: ClientThread
        private weak var driver: PoolDriver?

        init(thread: ClientThread, driver: PoolDriver) {
            self.thread = thread
            self.driver = driver
        }

        func callAsFunction() {
            let executor = thread.executor
            executor.begin()
            var limit: Int32 = 0
            while !thread.isStopping.load(ordering: .acquiring) {
                driver?.handle(thread.poller.wait(milliseconds: limit))
                executor.takeQueue()
                executor.runJobs()
                limit = driver?.sleepLimit ?? -1
                if !executor.prepareToWait() { limit = 0 }
            }
            // The actor is gone, so no job of its own is left.
            executor.end()
        }
    }
}

/// The body of the thread, which keeps the executor alive.
private func runClientThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<ClientThread.Run>.fromOpaque(context).takeRetainedValue()()
    return nil
}
