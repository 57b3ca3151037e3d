internal import BusinessLogic
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import ThreadExecutors

/// A pool of threads for long computations and blocking calls, so that they do not block the callers' threads. It serves requesters in turn.
///
/// The threads retain the pool until ``close()`` ends them.
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
        var isClosed = false
    }

    /// With 5, a processor that a thread shares with a busy event loop gives it a quarter of its time.
    private static let niceness: Int32 = 5

    private let count: Int
    private let maximumWaiting: Int
    private let name: String
    private let state = Mutex(State())
    private let nextID = Atomic<UInt64>(0)
    /// Signalled once for each job, and once for each thread at the end. The signal of a withdrawn job stays, and wakes a thread
    /// for nothing.
    private let signals = DispatchSemaphore(value: 0)

    /// A pool whose threads have started.
    ///
    /// - Parameters:
    ///   - count: the number of threads, at least 1.
    ///   - maximumWaiting: the number of jobs that may wait while all threads are busy, at least 0.
    ///   - name: the name of the threads, at most 15 bytes.
    /// - Throws: ``PasswordHasherError`` if the system cannot start another thread.
    init(count: Int, maximumWaiting: Int, name: String) throws(PasswordHasherError) {
        self.count = count
        self.maximumWaiting = maximumWaiting
        self.name = name
        for _ in 0..<count { try start() }
    }

    private func start() throws(PasswordHasherError) {
        guard let failure = DetachedThread.start(name, { self.work() }) else { return }
        close()
        throw PasswordHasherError(reason: failure)
    }

    /// The current load, and the counts since the start.
    var load: PasswordHasher.Load {
        state.withLock { state in
            var load = state.load
            load.waiting = state.jobs.count
            return load
        }
    }

    /// Runs the work on one of the threads, in the order of ``FairQueue``.
    ///
    /// - Throws: what the work throws; `CollaboratorError.overloaded` if too many jobs wait, immediately or when a job of
    ///   another requester replaces this one; `CancellationError` if the task is cancelled before the work has begun. In the latter
    ///   two cases the work does not run.
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
                guard add(job, of: requester) else { return }
                // The cancellation handler may have run before the job was added.
                if Task.isCancelled { withdraw(id) }
            }
        } onCancel: {
            withdraw(id)
        }
    }

    /// Ends the threads after the waiting jobs.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<count { signals.signal() }
    }

    /// Adds a job to the queue. If too many jobs wait, rejects one of them, or this one.
    ///
    /// - Returns: `false` if this job was rejected.
    private func add(_ job: Job, of requester: PasswordHasher.Requester) -> Bool {
        let rejected = state.withLock { state -> Job? in
            var rejected: Job?
            // A thread that has been woken for a job counts as busy even before it takes the job.
            if state.isClosed || state.jobs.count + state.load.running >= maximumWaiting + count {
                state.load.rejected += 1
                rejected = state.isClosed ? nil : state.jobs.removeNewest(makingRoomFor: requester)
                if rejected == nil { return job }
            }
            state.jobs.append(job, of: requester)
            return rejected
        }
        guard let rejected else {
            signals.signal()
            return true
        }
        // A job that replaces another one uses its signal.
        rejected.reject(CollaboratorError.overloaded(retryAfter: .seconds(1)))
        return rejected.id != job.id
    }

    /// Cancels a job that is still waiting.
    private func withdraw(_ id: UInt64) {
        let job = state.withLock { $0.jobs.remove { $0.id == id } }
        job?.reject(CancellationError())
    }

    // MARK: On the threads

    fileprivate func work() {
        // On Linux, the niceness of this thread only: the event loops, on which all other clients wait, come first.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
        while true {
            signals.wait()
            let (job, isClosed) = state.withLock { state in
                let job = state.jobs.popFirst()
                if job != nil { state.load.running += 1 }
                return (job, state.isClosed)
            }
            guard let job else {
                if isClosed { return }
                continue
            }
            let deliver = job.work()
            state.withLock { state in
                state.load.running -= 1
                state.load.done += 1
            }
            deliver()
        }
    }
}
