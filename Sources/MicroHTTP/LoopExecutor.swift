internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Runs jobs from any thread on an event loop's thread.
///
/// Sendable because only the loop's thread uses what is neither constant, atomic nor in the queue.
final class LoopExecutor: SerialExecutor, @unchecked Sendable {
    /// The actor to which handlers are isolated. They return to the loop after each wait.
    ///
    /// A preferred task executor would do the same, but then each await takes the task's lock, six times per event.
    actor Isolation {
        nonisolated let unownedExecutor: UnownedSerialExecutor

        /// - Parameter executor: must outlive this.
        init(_ executor: LoopExecutor) {
            unownedExecutor = executor.asUnownedSerialExecutor()
        }
    }

    /// The jobs and functions from other threads.
    private struct Queue {
        var jobs: [UnownedJob] = []
        var functions: [@Sendable () -> Void] = []
        /// Whether the loop has been woken for the queue.
        var isSignalled = false
        /// Whether the loop has ended.
        var hasEnded = false
    }

    /// Becomes readable when another thread adds to the queue.
    let wakeup: Int32
    private let queue = Mutex(Queue())
    /// The loop's thread while it runs, otherwise 0: a later thread may have the same number.
    private let thread = Atomic<pthread_t>(0)
    @exclusivity(unchecked) private var jobs: [UnownedJob] = []

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
        } else if !addToQueue({ $0.jobs.append(job) }) {
            globalConcurrentExecutor.enqueue(job)
        }
    }

    func checkIsolated() {
        precondition(pthread_self() == thread.load(ordering: .relaxed), "not on the event loop's thread")
    }

    /// Ends the process in debug builds if the loop is running and the caller is not on its thread. Types that are `@unchecked Sendable`
    /// because only the loop uses them call this.
    func assertOnLoop() {
        assert([0, pthread_self()].contains(thread.load(ordering: .relaxed)), "not on the event loop's thread")
    }

    /// Runs a function on the loop's thread, unless the loop has ended.
    func submit(_ function: @escaping @Sendable () -> Void) {
        addToQueue { $0.functions.append(function) }
    }

    /// Adds to the queue, and wakes the loop. Returns `false`, and adds nothing, if the loop has ended.
    @discardableResult
    private func addToQueue(_ change: (inout Queue) -> Void) -> Bool {
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

    /// Makes the calling thread the loop's.
    func begin() {
        thread.store(pthread_self(), ordering: .relaxed)
    }

    /// Whether jobs are ready to run.
    var hasJobs: Bool { !jobs.isEmpty }

    /// Takes the queue, and calls the functions in it. Its jobs run with the next ``runJobs(_:)``.
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
        for function in taken.functions { function() }
    }

    /// Runs the jobs that are ready now, each in a call of `body`. Jobs that they enqueue wait for the next call, so that a task that yields
    /// repeatedly does not delay the connections.
    func runJobs(_ body: (() -> Void) -> Void) {
        guard !jobs.isEmpty else { return }
        let batch = jobs
        jobs = []
        for job in batch { body { job.runSynchronously(on: asUnownedSerialExecutor()) } }
    }

    /// Runs the job that the loop's thread enqueued last, before all others.
    func runNewestJob() {
        assertOnLoop()
        jobs.popLast()?.runSynchronously(on: asUnownedSerialExecutor())
    }

    /// Passes unfinished tasks to the global executor, because other tasks may wait for them.
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
