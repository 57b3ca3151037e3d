import BusinessLogic
import Glibc
import Synchronization
import ThreadExecutors

/// Threads for long computations, so that they do not block the callers' threads. A thread starts when a job finds fewer than the maximum, and
/// ends when no job waits. They serve requesters in turn.
final class WorkerThreads: Sendable {
    private struct Job: Sendable {
        let id: UInt64
        /// Does the work, and returns a function that delivers the result.
        let work: @Sendable () -> @Sendable () -> Void
        /// Delivers an error instead of doing the work.
        let reject: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs = FairQueue<Job>()
        var load = PasswordHasher.Load()

        /// The next job of a thread; `nil` if the thread ends.
        mutating func next() -> Job? {
            let job = jobs.popFirst()
            if job == nil { load.running -= 1 }
            return job
        }
    }

    /// With 5, a processor that a thread shares with a busy event loop gives it a quarter of its time.
    private static let niceness: Int32 = 5
    private static let overloaded = CollaboratorError.overloaded(retryAfter: .seconds(1))

    private let count: Int
    private let maximumWaiting: Int
    private let name: String
    private let state = Mutex(State())
    private let nextID = Atomic<UInt64>(0)

    /// Starts at most `count` threads, at least 1, whose name has at most 15 bytes. While all are busy, `maximumWaiting` jobs may wait.
    init(count: Int, maximumWaiting: Int, name: String) {
        self.count = count
        self.maximumWaiting = maximumWaiting
        self.name = name
    }

    var load: PasswordHasher.Load {
        state.withLock { state in
            var load = state.load
            load.waiting = state.jobs.count
            return load
        }
    }

    /// Runs the work on one of the threads, in the order of ``FairQueue``. If the work does not run, throws `CollaboratorError.overloaded`
    /// because too many jobs wait, immediately or when a job of another requester replaces this one, or because the system cannot start a
    /// thread; or `CancellationError` because the task is cancelled before.
    func run<Result: Sendable>(
        for requester: PasswordHasher.Requester = PasswordHasher.Requester(),
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let id = nextID.wrappingAdd(1, ordering: .relaxed).oldValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    id: id,
                    work: {
                        let result = Swift.Result { try work() }
                        return { continuation.resume(with: result) }
                    },
                    reject: { continuation.resume(throwing: $0) }
                )
                add(job, of: requester)
                // The cancellation handler may have run before the job was added.
                if Task.isCancelled { withdraw(id) }
            }
        } onCancel: {
            withdraw(id)
        }
    }

    /// Starts a thread for a job, or adds it to the queue. If too many jobs wait, rejects one of them, or this one.
    private func add(_ job: Job, of requester: PasswordHasher.Requester) {
        let (rejected, needsThread): (Job?, Bool) = state.withLock { state in
            if state.load.running < count {
                state.load.running += 1
                return (nil, true)
            }
            var rejected: Job?
            if state.jobs.count >= maximumWaiting {
                state.load.rejected += 1
                rejected = state.jobs.removeNewest(makingRoomFor: requester)
                if rejected == nil { return (job, false) }
            }
            state.jobs.append(job, of: requester)
            return (rejected, false)
        }
        rejected?.reject(Self.overloaded)
        guard needsThread, DetachedThread.start(name, { self.work(job) }) != nil else { return }
        // No thread may come for the jobs that wait.
        var failed: Job? = job
        while let job = failed {
            job.reject(Self.overloaded)
            failed = state.withLock { $0.next() }
        }
    }

    /// Cancels a job that is still waiting.
    private func withdraw(_ id: UInt64) {
        let job = state.withLock { $0.jobs.remove { $0.id == id } }
        job?.reject(CancellationError())
    }

    private func work(_ job: Job) {
        // On Linux, the niceness of this thread only: the event loops, on which all other clients wait, come first.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
        var next: Job? = job
        while let job = next {
            let deliver = job.work()
            next = state.withLock { state in
                state.load.done += 1
                return state.next()
            }
            deliver()
        }
    }
}
