package import AccountsDatabase
public import CoreMetrics
import Dispatch
public import Logging
import Synchronization
import ThreadExecutors

/// Connections to PostgreSQL that any number of tasks share.
///
/// Threads of the pool wait for the network. No thread of a caller ever does.
///
/// Connections are opened when calls need them, and stay open. While the server is unavailable, calls wait until their deadline, because most
/// outages are restarts; the pool tries to connect at random intervals of at most half a second. The queue of waiting calls is bounded, and a call that finds
/// it full fails at once.
///
/// If a call's deadline passes or its task is cancelled, its connection is closed and never used again. The server notices this within a
/// second and ends the statement.
public final class PostgreSQLPool: Sendable {
    let configuration: PostgreSQLConfiguration
    let factory: any MetricsFactory
    let logger: Logger
    let threads: ThreadPool
    let state = Mutex(State())
    /// Signalled when a connection or an attempt to connect may have become available.
    let changes = DispatchSemaphore(value: 0)

    /// Opens no connection yet.
    ///
    /// - Parameters:
    ///   - configuration: the server and the limits.
    ///   - logger: receives outages and their ends.
    ///   - factory: receives the metrics, whose names begin with `understudy_database_`.
    public init(
        _ configuration: PostgreSQLConfiguration,
        logger: Logger,
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.configuration = configuration
        self.logger = logger
        self.factory = factory
        threads = ThreadPool(
            "PostgreSQL",
            maximum: configuration.maximumConnections,
            maximumWaiting: configuration.maximumWaiting
        )
    }

    deinit {
        // Otherwise, the threads would live on.
        threads.close()
    }

    /// Opens a connection if necessary, and executes a statement. Fails as soon as one attempt to connect has failed, so that a program that
    /// starts reports a wrong password or host at once.
    package func check(deadline: ContinuousClock.Instant? = nil) async throws {
        _ = try await batches(deadline: deadline, failsFast: true) { try $0.execute(SQLStep(.check)) }
    }

    /// Executes one statement in a transaction of its own, in one round trip.
    @discardableResult
    package func execute(_ step: SQLStep, deadline: ContinuousClock.Instant? = nil) async throws -> [SQLRow] {
        try await batches(deadline: deadline) { try $0.execute(step) }
    }

    /// Calls `body` with a transaction, on a thread of the pool, and commits it when `body` returns. If `body` throws, the transaction is
    /// rolled back and the error is thrown. If a statement has failed and `body` returns nevertheless, its error is thrown.
    ///
    /// The transaction begins with its first statement, in the same round trip. Nothing is sent if there is no statement. If the connection
    /// is lost or the deadline passes during the commit, this asks the server whether the transaction is committed, and throws
    /// ``PostgreSQLError/outcomeUnknown(reason:)`` if the server does not respond either. With any other error, nothing is committed.
    ///
    /// This pool runs transactions with the same key one at a time, so that those that would wait for the same lock take one connection.
    package func transaction<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        key: String? = nil,
        _ body: @Sendable (PostgreSQLTransaction) throws -> Value
    ) async throws -> Value {
        let finished = Mutex<(value: Value, id: PostgreSQLTransaction.ID?)?>(nil)
        do {
            return try await batches(deadline: deadline, key: key) { connection in
                let transaction = PostgreSQLTransaction(connection)
                do {
                    let value = try body(transaction)
                    try Task.checkCancellation()
                    finished.withLock { $0 = (value, transaction.id) }
                    try transaction.commit()
                    return value
                } catch {
                    transaction.rollBack()
                    throw error
                }
            }
        } catch let error as PostgreSQLError {
            guard case .outcomeUnknown(let reason) = error, let finished = finished.withLock({ $0 }),
                let id = finished.id, let isCommitted = await isCommitted(id)
            else { throw error }
            guard isCommitted else { throw PostgreSQLError.unavailable(reason: reason) }
            return finished.value
        }
    }

    /// Whether a transaction is committed; `nil` if the server does not respond within about five seconds, or has been restarted or
    /// replaced.
    private func isCommitted(_ id: PostgreSQLTransaction.ID) async -> Bool? {
        let deadline = ContinuousClock.now + .seconds(5)
        let status = SQLStatement.status(id.transaction, id.serverStart)
        while let rows = try? await execute(status, deadline: deadline) {
            switch try? rows[0].optionalText(0) {
            case "committed": return true
            case "aborted": return false
            case "in progress": break
            // The server has recovered to a state before the transaction, or long after it.
            default: return nil
            }
            // The server has not noticed yet that the connection is lost.
            guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return nil }
        }
        return nil
    }

    /// Rejects new calls, waits for the accepted ones until the deadline, and closes all connections.
    public func close(deadline: ContinuousClock.Instant) async {
        let timer = Task.detached { [self] in
            guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
            close()
        }
        await threads.drain()
        timer.cancel()
        close()
    }

    /// Rejects new calls, and ends all others.
    private func close() {
        threads.close()
        _ = state.withLock { state in
            state.isClosed = true
            return exchange(&state.idle, with: [])
        }
        threads.interrupt()
    }

    package var statistics: PoolStatistics {
        let waiting = threads.waitingCount
        return state.withLock { state in
            PoolStatistics(
                inUse: state.inUse,
                idle: state.idle.count,
                waiting: waiting + state.waiting,
                opened: state.opened
            )
        }
    }
}

extension SQLStatement {
    fileprivate static let check = SQLStatement("check", postgreSQL: "SELECT 1")
    fileprivate static let status = SQLStatement(
        "transaction status",
        postgreSQL: """
            SELECT CASE WHEN pg_postmaster_start_time()::text = $2::text THEN pg_xact_status($1::text::xid8) END
            """
    )
}
