import Glibc
import Synchronization

/// Runs jobs and functions from any thread on one thread, which calls ``takeQueue()`` and ``runJobs(_:)`` in a loop, and waits for
/// ``wakeup`` in between.
package final class ThreadExecutor: SerialExecutor, @unchecked Sendable {
    // Sendable because only the executor's thread uses what is neither constant, atomic nor in the queue.

    /// The jobs and functions from other threads.
    private struct Queue {
        var jobs: [UnownedJob] = []
        var functions: [@Sendable () -> Void] = []
        /// Whether the thread looks at the queue before it waits, so that it need not be woken.
        var isWatched = false
        /// Whether the thread has been woken for the queue.
        var isSignalled = false
        var hasEnded = false
    }

    /// Becomes readable when another thread adds to the queue while the executor's thread waits.
    package let wakeup: Int32
    private let queue = Mutex(Queue())
    /// The thread while it runs, otherwise 0: a later thread may have the same number.
    private let thread = Atomic<pthread_t>(0)
    private var jobs: [UnownedJob] = []

    /// - Parameter wakeup: a non-blocking descriptor of eventfd(2), which the executor closes.
    package init(wakeup: Int32) {
        self.wakeup = wakeup
    }

    deinit {
        close(wakeup)
    }

    // MARK: From any thread

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
        } else if !addToQueue({ $0.jobs.append(job) }) {
            globalConcurrentExecutor.enqueue(job)
        }
    }

    package func checkIsolated() { precondition(isCurrent, "not on the executor's thread") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether the caller is on the executor's thread.
    private var isCurrent: Bool { pthread_self() == thread.load(ordering: .relaxed) }

    /// Whether the caller may use what only the executor's thread uses: it is on that thread, or the executor is not running. Types that are
    /// `@unchecked Sendable` because only that thread uses them assert this.
    package var isOnThread: Bool { [0, pthread_self()].contains(thread.load(ordering: .relaxed)) }

    /// Calls a function on the executor's thread, unless the thread has ended. A task that waits for the result changes executors once less
    /// than with a job.
    package func submit(_ function: @escaping @Sendable () -> Void) { addToQueue { $0.functions.append(function) } }

    /// Adds to the queue, and wakes the thread if it waits. Returns `false`, and adds nothing, if the thread has ended.
    @discardableResult
    private func addToQueue(_ change: (inout Queue) -> Void) -> Bool {
        queue.withLock { queue in
            guard !queue.hasEnded else { return false }
            change(&queue)
            if !queue.isWatched, !queue.isSignalled {
                queue.isSignalled = true
                // Within the lock: otherwise the thread could take the queue, read nothing, and be woken again and again later.
                var one: UInt64 = 1
                write(wakeup, &one, MemoryLayout<UInt64>.size)
            }
            return true
        }
    }

    // MARK: On the executor's thread

    /// Makes the calling thread the executor's.
    package func begin() { thread.store(pthread_self(), ordering: .relaxed) }

    /// Takes the queue, and calls the functions in it. Its jobs run with the next ``runJobs(_:)``.
    package func takeQueue() {
        assert(isOnThread, "not on the executor's thread")
        let taken = queue.withLock { queue in
            if queue.isSignalled {
                var count: UInt64 = 0
                read(wakeup, &count, MemoryLayout<UInt64>.size)
            }
            return exchange(&queue, with: Queue(isWatched: true))
        }
        jobs.append(contentsOf: taken.jobs)
        for function in taken.functions { function() }
    }

    /// Whether nothing is left to run, so that the thread may wait. From then on, other threads wake it.
    package func prepareToWait() -> Bool {
        guard jobs.isEmpty else { return false }
        return queue.withLock { queue in
            guard queue.jobs.isEmpty, queue.functions.isEmpty else { return false }
            queue.isWatched = false
            return true
        }
    }

    /// Runs the jobs that are ready now, each in a call of `body`. Jobs that they enqueue wait for the next call, so that a task that yields
    /// repeatedly does not delay the thread's other work.
    package func runJobs(_ body: (() -> Void) -> Void = { $0() }) {
        guard !jobs.isEmpty else { return }
        for job in exchange(&jobs, with: []) { body { job.runSynchronously(on: asUnownedSerialExecutor()) } }
    }

    /// Runs the job that the executor's thread enqueued last, before all others.
    package func runNewestJob() {
        assert(isOnThread, "not on the executor's thread")
        jobs.popLast()?.runSynchronously(on: asUnownedSerialExecutor())
    }

    /// Passes unfinished tasks to the global executor, because other tasks may wait for them.
    package func end() {
        thread.store(0, ordering: .relaxed)
        let queued = queue.withLock { exchange(&$0, with: Queue(hasEnded: true)).jobs }
        for job in jobs + queued { globalConcurrentExecutor.enqueue(job) }
        jobs = []
    }
}
