/// A call that waits for a connection, and then runs on the connection's thread: an executor that stores the one job that it receives.
///
/// So the task changes threads once in each direction. A continuation would resume it on one of Swift's own threads, from which it returns to
/// its actor. That takes a tenth of a server's processor time for a short statement of SQL.
final class Call: SerialExecutor, @unchecked Sendable {
    // Sendable because the lock of the pool protects what is not constant.

    let deadline: ContinuousClock.Instant
    /// Calls with the same key run one at a time; `nil` if the call waits for no other.
    let key: String?
    /// Whether the first failed attempt to connect fails the call.
    let failsFast: Bool
    var isCancelled = false
    /// The thread that executes the call; `nil` before and afterwards.
    var thread: ConnectionThread?
    /// Why the call does not run.
    var failure: (any Error)?
    private let pool: ConnectionPool
    private var job: UnownedJob?

    init(_ pool: ConnectionPool, deadline: ContinuousClock.Instant, key: String?, failsFast: Bool) {
        self.pool = pool
        self.deadline = deadline
        self.key = key
        self.failsFast = failsFast
    }

    func enqueue(_ job: consuming ExecutorJob) {
        self.job = UnownedJob(job)
        pool.submit(self)
    }

    /// Runs the call on this thread.
    func run() {
        job.take()?.runSynchronously(on: asUnownedSerialExecutor())
    }

    /// The actor in whose method the call waits and runs.
    actor Isolation {
        private let call: Call

        nonisolated var unownedExecutor: UnownedSerialExecutor { call.asUnownedSerialExecutor() }

        init(_ call: Call) {
            self.call = call
        }

        /// Returns what `body` returns for a connection.
        func run<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
            guard let thread = call.thread else { throw call.failure ?? CancellationError() }
            return try thread.execute(body)
        }
    }
}
