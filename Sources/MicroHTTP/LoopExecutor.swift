internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Runs what there is to do on an event loop's thread, whichever thread it comes from.
///
/// Sendable because everything but the queue, the thread's number and the descriptor is touched on the loop's thread only.
final class LoopExecutor: SerialExecutor, @unchecked Sendable {
    /// What handlers are isolated to: it brings them back to the loop from wherever they wait.
    ///
    /// As a task's preferred executor the loop would do the same. But then every await has to ask for it under the task's
    /// lock, six times an event.
    actor Isolation {
        nonisolated let unownedExecutor: UnownedSerialExecutor

        /// - Parameter executor: has to outlive this.
        init(_ executor: LoopExecutor) {
            unownedExecutor = executor.asUnownedSerialExecutor()
        }
    }

    /// What other threads hand over.
    private struct Queue {
        var jobs: [UnownedJob] = []
        var requests: [@Sendable () -> Void] = []
        /// Whether the loop has been woken for what is in the queue.
        var isSignalled = false
        /// Whether the loop takes nothing any more.
        var hasEnded = false
    }

    /// Becomes readable when another thread has handed something over.
    let wakeup: Int32
    private let queue = Mutex(Queue())
    /// The loop's thread while it runs, else 0: threads that come later may have its number.
    private let thread = Atomic<pthread_t>(0)
    private var jobs: [UnownedJob] = []

    init() throws(ServerError) {
        wakeup = CMicroHTTPD_event_descriptor()
        guard wakeup >= 0 else { throw .cannotStart(reason: lastError()) }
    }

    deinit {
        close(wakeup)
    }

    // MARK: From any thread

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if pthread_self() == thread.load(ordering: .relaxed) {
            jobs.append(job)
        } else if !hand({ $0.jobs.append(job) }) {
            globalConcurrentExecutor.enqueue(job)
        }
    }

    func checkIsolated() {
        precondition(pthread_self() == thread.load(ordering: .relaxed), "not on the event loop's thread")
    }

    /// Ends the process in debug builds if the loop is running and the caller is not on its thread: what is `@unchecked Sendable` because
    /// only the loop uses it calls this.
    func assertOnLoop() {
        assert([0, pthread_self()].contains(thread.load(ordering: .relaxed)), "not on the event loop's thread")
    }

    /// Has something done on the loop's thread, unless the loop has ended.
    func submit(_ request: @escaping @Sendable () -> Void) {
        hand { $0.requests.append(request) }
    }

    /// Puts something into the queue, and wakes the loop. False where the loop has ended; nothing is put there then.
    @discardableResult
    private func hand(_ change: (inout Queue) -> Void) -> Bool {
        let (isTaken, isFirst) = queue.withLock { queue in
            guard !queue.hasEnded else { return (false, false) }
            change(&queue)
            defer { queue.isSignalled = true }
            return (true, !queue.isSignalled)
        }
        if isFirst {
            var one: UInt64 = 1
            write(wakeup, &one, MemoryLayout<UInt64>.size)
        }
        return isTaken
    }

    // MARK: On the loop's thread

    /// The calling thread is the loop's from here on.
    func begin() {
        thread.store(pthread_self(), ordering: .relaxed)
    }

    /// Whether there are jobs that need not be waited for.
    var hasJobs: Bool { !jobs.isEmpty }

    /// Takes what other threads have handed over, and does what they have asked for. Their jobs come with the next run.
    func takeQueue() {
        assertOnLoop()
        let taken = queue.withLock { queue in
            guard queue.isSignalled else { return Queue() }
            var count: UInt64 = 0
            read(wakeup, &count, MemoryLayout<UInt64>.size)
            defer { queue = Queue() }
            return queue
        }
        jobs.append(contentsOf: taken.jobs)
        for request in taken.requests { request() }
    }

    /// Runs the jobs that there are now, each by `body`. Those that they bring about come with the next run, so that a task
    /// that yields again and again does not keep the connections waiting.
    func runJobs(_ body: (() -> Void) -> Void) {
        guard !jobs.isEmpty else { return }
        let batch = jobs
        jobs = []
        for job in batch { body { job.runSynchronously(on: asUnownedSerialExecutor()) } }
    }

    /// Runs the job that has just been enqueued from the loop's thread, before all others.
    func runNewestJob() {
        assertOnLoop()
        jobs.popLast()?.runSynchronously(on: asUnownedSerialExecutor())
    }

    /// Has tasks that are not done go on elsewhere: they may hold what others wait for.
    func end() {
        thread.store(0, ordering: .relaxed)
        let queued = queue.withLock { queue in
            queue.hasEnded = true
            defer { queue.jobs = [] }
            return queue.jobs
        }
        for job in jobs + queued { globalConcurrentExecutor.enqueue(job) }
        jobs = []
    }
}
