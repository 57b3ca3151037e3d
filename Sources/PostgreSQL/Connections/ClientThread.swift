internal import CPostgreSQL
internal import Glibc
internal import Synchronization

/// What a ``ClientThread`` calls on its own thread.
protocol ClientThreadDelegate: AnyObject, Sendable {
    /// Handles what sockets have reported. Is called in each iteration, also without events, and before the jobs of callers run.
    func handle(_ events: [SocketPoller.Event])
    /// How many milliseconds the thread may sleep; -1 without a limit.
    var sleepLimit: Int32 { get }
}

/// The one thread that does all input and output of a pool. It executes the jobs of an actor, and waits for sockets with epoll.
///
/// Sockets are examined before jobs run, so a job never uses a connection that was already closed when the thread woke up.
final class ClientThread: SerialExecutor, @unchecked Sendable {
    // Sendable because only the thread itself uses what is neither constant, atomic nor in the queue.

    private struct Queue {
        var jobs: [UnownedJob] = []
        var functions: [@Sendable () -> Void] = []
        /// Whether the thread will look at the queue before it sleeps.
        var isSignalled = false
        var hasEnded = false
    }

    /// The sockets that wake the thread. Only the thread uses it.
    let poller: SocketPoller
    private let queue = Mutex(Queue())
    /// The thread while it runs, otherwise 0: a later thread may have the same number.
    private let thread = Atomic<pthread_t>(0)
    private let isStopping = Atomic(false)
    private weak var delegate: (any ClientThreadDelegate)?

    init() throws(PostgreSQLError) {
        poller = try SocketPoller()
    }

    /// Starts the thread, which runs until ``stop()``.
    func start(_ delegate: any ClientThreadDelegate) throws(PostgreSQLError) {
        self.delegate = delegate
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, runClientThread, context.toOpaque())
        guard failure == 0 else {
            context.release()
            throw .unavailable(reason: "cannot start a thread: \(String(cString: strerror(failure)))")
        }
        pthread_detach(thread)
    }

    // MARK: From any thread

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !add({ $0.jobs.append(job) }) { globalConcurrentExecutor.enqueue(job) }
    }

    /// Calls a function on the thread. A task that waits for its result changes executors once less than with a job.
    func submit(_ function: @escaping @Sendable () -> Void) {
        add { $0.functions.append(function) }
    }

    /// Adds to the queue, and wakes the thread. Returns `false`, and adds nothing, if the thread has ended.
    @discardableResult
    private func add(_ change: (inout Queue) -> Void) -> Bool {
        let (isAdded, mustWake) = queue.withLock { queue in
            guard !queue.hasEnded else { return (false, false) }
            change(&queue)
            defer { queue.isSignalled = true }
            return (true, !queue.isSignalled)
        }
        if mustWake { poller.wake() }
        return isAdded
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the thread of the PostgreSQL client")
    }

    func isIsolatingCurrentContext() -> Bool? {
        pthread_self() == thread.load(ordering: .relaxed)
    }

    /// Ends the thread after its current iteration.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        poller.wake()
    }

    // MARK: On the thread

    fileprivate func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        var limit: Int32 = 0
        while !isStopping.load(ordering: .acquiring) {
            let events = poller.wait(milliseconds: limit)
            limit = iterate(events)
        }
        // The actor is gone, so no job of its own is left.
        thread.store(0, ordering: .relaxed)
        let jobs = queue.withLock { queue in
            queue.hasEnded = true
            defer { queue.jobs = [] }
            return queue.jobs
        }
        for job in jobs { globalConcurrentExecutor.enqueue(job) }
    }

    /// Returns how many milliseconds the thread may sleep.
    private func iterate(_ events: [SocketPoller.Event]) -> Int32 {
        delegate?.handle(events)
        let taken = takeQueue()
        for function in taken.functions { function() }
        for job in taken.jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        let limit = delegate?.sleepLimit ?? -1
        // The next job wakes the thread.
        return queue.withLock { queue in
            queue.isSignalled = !queue.jobs.isEmpty || !queue.functions.isEmpty
            return queue.isSignalled ? 0 : limit
        }
    }

    private func takeQueue() -> Queue {
        queue.withLock { queue in
            defer { queue = Queue(isSignalled: true) }
            return queue
        }
    }
}

/// The body of the thread, which keeps its ``ClientThread`` alive.
private func runClientThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<ClientThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
