internal import BusinessLogic
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization

/// Threads that do long computations, so that the threads of the callers do not. Requesters take turns.
///
/// The threads keep the object alive: ``close()`` has them end.
final class WorkerThreads: Sendable {
    private struct Job: Sendable {
        let id: UInt64
        /// Does the work; what it returns hands over the result.
        let work: @Sendable () -> @Sendable () -> Void
        /// Hands over an error instead, because the job will not be done.
        let refuse: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs = FairQueue<Job>()
        var load = PasswordHasher.Load()
        var isClosed = false
    }

    private enum NextJob {
        case job(Job), nothing, end
    }

    private enum Addition {
        /// The job waits, in the place of another one.
        case added(insteadOf: Job?)
        case refused
    }

    private let count: Int
    private let maximumWaiting: Int
    private let name: String
    private let onThreadEnd: @Sendable () -> Void
    private let state = Mutex(State())
    private let nextID = Atomic<UInt64>(0)
    /// Is signalled for each job, and at the end for each thread. Of jobs that were withdrawn, signals are left over.
    private let signals = DispatchSemaphore(value: 0)

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - count: how many threads; at least 1.
    ///   - maximumWaiting: how many jobs may wait while all threads are busy; at least 0.
    ///   - name: what the threads are called, in at most 15 bytes.
    ///   - onThreadEnd: is called at the end of each thread, by it.
    /// - Throws: ``PasswordHasherError`` where there are too many threads already.
    init(
        count: Int,
        maximumWaiting: Int,
        name: String,
        onThreadEnd: @escaping @Sendable () -> Void = {}
    ) throws(PasswordHasherError) {
        self.count = count
        self.maximumWaiting = maximumWaiting
        self.name = name
        self.onThreadEnd = onThreadEnd
        for _ in 0..<count { try start() }
    }

    private func start() throws(PasswordHasherError) {
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, runWorkerThread, context.toOpaque())
        guard failure == 0 else {
            context.release()
            close()
            throw .cannotStart(reason: String(cString: strerror(failure)))
        }
        pthread_detach(thread)
    }

    /// How much there is to do, and how much has been done.
    var load: PasswordHasher.Load {
        state.withLock { state in
            var load = state.load
            load.waiting = state.jobs.count
            return load
        }
    }

    /// Does some work on one of the threads. Requesters take turns, as ``FairQueue`` describes.
    ///
    /// - Throws: what the work throws; `CollaboratorError.overloaded` if too many jobs wait, at once or as soon as a job of
    ///   another requester takes the place of this one; `CancellationError` if the task is cancelled before the work has
    ///   begun. The work is not done in either case.
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
                    refuse: { continuation.resume(throwing: $0) }
                )
                guard add(job, of: requester) else { return }
                // The handler below may have been called before there was a job.
                if Task.isCancelled { withdraw(id) }
            }
        } onCancel: {
            withdraw(id)
        }
    }

    /// Has the threads end when they have done the jobs that there are.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<count { signals.signal() }
    }

    /// Puts a job behind the others of its requester. If too many jobs wait, one of them is refused instead, or this one.
    ///
    /// - Returns: whether the job waits now.
    private func add(_ job: Job, of requester: PasswordHasher.Requester) -> Bool {
        let addition = state.withLock { state -> Addition in
            var replaced: Job?
            // Threads that have not yet taken the job that they were woken for count as busy with it.
            if state.isClosed || state.jobs.count + state.load.running >= maximumWaiting + count {
                state.load.refused += 1
                replaced = state.isClosed ? nil : state.jobs.removeNewest(makingRoomFor: requester)
                if replaced == nil { return .refused }
            }
            state.jobs.append(job, of: requester)
            return .added(insteadOf: replaced)
        }
        let overloaded = CollaboratorError.overloaded(retryAfter: .seconds(1))
        switch addition {
        case .refused:
            job.refuse(overloaded)
            return false
        case .added(insteadOf: let replaced?):
            // The signal of the job that was refused is left for this one.
            replaced.refuse(overloaded)
        case .added(insteadOf: nil):
            signals.signal()
        }
        return true
    }

    /// Takes a job out of the queue, if it is still there.
    private func withdraw(_ id: UInt64) {
        let job = state.withLock { $0.jobs.remove { $0.id == id } }
        job?.refuse(CancellationError())
    }

    // MARK: On the threads

    fileprivate func work() {
        Thread.current.name = name
        while true {
            switch next() {
            case .job(let job):
                let handOver = job.work()
                state.withLock { state in
                    state.load.running -= 1
                    state.load.done += 1
                }
                handOver()
            case .nothing: continue
            case .end: return onThreadEnd()
            }
        }
    }

    private func next() -> NextJob {
        signals.wait()
        return state.withLock { state in
            guard let job = state.jobs.popFirst() else { return state.isClosed ? .end : .nothing }
            state.load.running += 1
            return .job(job)
        }
    }
}

/// One of the threads, which keeps their object alive.
private func runWorkerThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<WorkerThreads>.fromOpaque(context).takeRetainedValue().work()
    return nil
}
