internal import ThreadExecutors

/// A call that waits for a connection, and then runs on the connection's thread.
final class Call: ThreadCall, @unchecked Sendable {
    // Sendable because the lock of the pool protects what is not constant, except for the job.

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
    var job: UnownedJob?
    private let pool: ConnectionPool

    init(_ pool: ConnectionPool, deadline: ContinuousClock.Instant, key: String?, failsFast: Bool) {
        self.pool = pool
        self.deadline = deadline
        self.key = key
        self.failsFast = failsFast
    }

    func submit() { pool.submit(self) }

    /// Returns what `body` returns for a connection.
    func execute<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) async throws -> Value {
        try await execute {
            guard let thread else { throw failure ?? CancellationError() }
            return try thread.execute(body)
        }
    }
}
