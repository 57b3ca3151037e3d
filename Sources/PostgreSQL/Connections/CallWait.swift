internal import Synchronization

/// Where the task of a call waits for its results: an executor that stores the task's job, and then starts the call.
///
/// A continuation would do the same, but it resumes the task on one of Swift's own threads, from which the task returns to its actor. That takes
/// a tenth of a server's processor time for a short statement.
///
/// Sendable because the task writes `job` before it starts the call, and from then on only the client's thread uses the object.
final class CallWait: SerialExecutor, @unchecked Sendable {
    /// Whether the task is cancelled, which may be before it waits.
    let isCancelled = Atomic(false)
    private let start: @Sendable (CallWait) -> Void
    private var job: UnownedJob?
    private var result: Result<[PostgreSQLResult], any Error> = .failure(CancellationError())

    /// - Parameter start: is called when the task waits, on the task's thread.
    init(start: @escaping @Sendable (CallWait) -> Void) {
        self.start = start
    }

    func enqueue(_ job: consuming ExecutorJob) {
        self.job = UnownedJob(job)
        start(self)
    }

    /// Resumes the task. Only the client's thread calls this.
    func end(_ result: Result<[PostgreSQLResult], any Error>) {
        self.result = result
        job.take()?.runSynchronously(on: asUnownedSerialExecutor())
    }

    /// The actor in whose method the task waits.
    actor Isolation {
        private let wait: CallWait
        nonisolated let unownedExecutor: UnownedSerialExecutor

        init(_ wait: CallWait) {
            self.wait = wait
            unownedExecutor = wait.asUnownedSerialExecutor()
        }

        /// Returns when the call has ended.
        func result() -> Result<[PostgreSQLResult], any Error> { wait.result }
    }
}
