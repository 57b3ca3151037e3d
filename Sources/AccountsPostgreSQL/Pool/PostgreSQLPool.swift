public import CoreMetrics
public import Logging
package import AccountsDatabase

/// Connections to PostgreSQL that any number of tasks share.
///
/// Each connection has a thread, which waits for the network. No thread of a caller ever does.
///
/// Connections are opened when calls need them, and stay open. While the server is unavailable, calls wait until their deadline, because most
/// outages are restarts; the pool tries to connect at growing, random intervals. The queue of waiting calls is bounded, and a call that finds
/// it full fails at once.
///
/// If a call's deadline passes or its task is cancelled, its connection is closed and never used again. The server notices this within a
/// second and ends the statement.
public final class PostgreSQLPool: Sendable {
    let configuration: PostgreSQLConfiguration
    private let connections: ConnectionPool

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
        connections = ConnectionPool(configuration: configuration, logger: logger, factory: factory)
    }

    deinit {
        // Otherwise, the threads would live on.
        connections.close()
    }

    /// Opens a connection if necessary, and executes a statement.
    ///
    /// - Throws: ``PostgreSQLError/unavailable(reason:)`` as soon as one attempt to connect has failed, so that a program that starts
    ///   reports a wrong password or host at once.
    package func check(deadline: ContinuousClock.Instant? = nil) async throws {
        _ = try await batches(deadline: deadline, failsFast: true) { try $0.execute(SQLStep(.check)) }
    }

    /// Executes one statement in a transaction of its own, in one round trip.
    ///
    /// - Parameter deadline: when the call fails, including the time it waits; `nil` for the configuration's `callTimeout` from now.
    /// - Throws: ``PostgreSQLError``. `CancellationError` if the task is cancelled and nothing can have been committed.
    @discardableResult
    package func execute(
        _ step: SQLStep,
        deadline: ContinuousClock.Instant? = nil
    ) async throws -> [SQLRow] {
        try await batches(deadline: deadline) { try $0.execute(step) }
    }

    /// Calls `body`, on the thread of a connection, with an object that executes batches, each in a transaction of its own and one round trip.
    ///
    /// - Throws: as ``execute(_:deadline:)``, where ``PostgreSQLServerError/step`` is the position of the statement that has failed; the errors
    ///   of `body`.
    package func batches<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        failsFast: Bool = false,
        _ body: @Sendable (PostgreSQLBatches) throws -> Value
    ) async throws -> Value {
        let deadline = deadline ?? defaultDeadline
        return try await connections.run(deadline: deadline, failsFast: failsFast) { connection in
            try body(PostgreSQLBatches(connection: connection, deadline: deadline))
        }
    }

    /// Calls `body` with a transaction, on the thread of a connection, and commits it when `body` returns. If `body` throws, the transaction is
    /// rolled back and the error is thrown.
    ///
    /// The transaction begins with its first statement, in the same round trip. Nothing is sent if there is no statement.
    ///
    /// - Parameters:
    ///   - deadline: when the transaction fails, including its commit; `nil` for the configuration's `callTimeout` from now.
    ///   - key: names what the transaction locks. This pool runs transactions with the same key one at a time, so that those that would wait
    ///     for the same lock take one connection.
    /// - Throws: ``PostgreSQLError/outcomeUnknown(reason:)`` if the connection is lost or the deadline passes after the commit was sent.
    ///   With any other error, nothing is committed. If a statement has failed and `body` returns nevertheless, its error is thrown.
    package func transaction<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        key: String? = nil,
        _ body: @Sendable (PostgreSQLTransaction) throws -> Value
    ) async throws -> Value {
        let deadline = deadline ?? defaultDeadline
        return try await connections.run(deadline: deadline, key: key) { connection in
            let transaction = PostgreSQLTransaction(connection, until: deadline)
            do {
                let value = try body(transaction)
                try Task.checkCancellation()
                try transaction.commit()
                return value
            } catch {
                transaction.rollBack()
                throw error
            }
        }
    }

    /// Rejects new calls, waits for the accepted ones until the deadline, and closes all connections.
    public func close(deadline: ContinuousClock.Instant) async {
        await connections.close(by: deadline)
    }

    /// The current figures.
    package var statistics: PoolStatistics { connections.statistics }

    private var defaultDeadline: ContinuousClock.Instant { .now + configuration.callTimeout }
}

extension SQLStatement {
    fileprivate static let check = SQLStatement("check", isReadOnly: true, postgreSQL: "SELECT 1")
}
