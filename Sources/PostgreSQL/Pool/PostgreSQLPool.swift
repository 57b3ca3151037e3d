public import CoreMetrics
public import Logging
package import SQLStatements
internal import Synchronization

/// Connections to PostgreSQL that any number of tasks share.
///
/// One thread of the pool's own does all input and output without blocking, except that libpq resolves the names of hosts on it. No thread
/// of a caller ever waits for the network.
///
/// Connections are opened when calls need them, and stay open. While the server is unavailable, calls wait until their deadline, because most
/// outages are restarts; the pool tries to connect at growing, random intervals. The queue of waiting calls is bounded, and a call that finds
/// it full fails at once.
///
/// If a call's deadline passes or its task is cancelled, its connection is closed and never used again. The server notices this within a
/// second and ends the statement.
public final class PostgreSQLPool: Sendable {
    let configuration: PostgreSQLConfiguration
    private let driver: PoolDriver
    private let gauges: PoolGauges

    /// Starts the pool's thread, and opens no connection yet.
    ///
    /// - Parameters:
    ///   - configuration: the server and the limits.
    ///   - logger: receives outages and their ends.
    ///   - factory: receives the metrics, whose names begin with `understudy_database_`.
    /// - Throws: ``PostgreSQLError/unavailable(reason:)`` if the process has too many threads or descriptors.
    public init(
        _ configuration: PostgreSQLConfiguration,
        logger: Logger,
        factory: any MetricsFactory = MetricsSystem.factory
    ) throws {
        self.configuration = configuration
        driver = try PoolDriver(configuration: configuration, logger: logger, factory: factory)
        gauges = PoolGauges(factory: factory)
    }

    /// Opens a connection if necessary, and executes a statement.
    ///
    /// - Throws: ``PostgreSQLError/unavailable(reason:)`` as soon as one attempt to connect has failed, so that a program that starts
    ///   reports a wrong password or host at once.
    package func check(deadline: ContinuousClock.Instant? = nil) async throws {
        _ = try await driver.run([SQLStep(.check)], deadline: deadline ?? defaultDeadline, failsFast: true)
    }

    /// Executes one statement in a transaction of its own, in one round trip.
    ///
    /// - Parameter deadline: when the call fails, including the time it waits; `nil` for the configuration's `callTimeout` from now.
    /// - Throws: ``PostgreSQLError``. `CancellationError` if the task is cancelled and nothing can have been committed.
    @discardableResult
    package func execute(
        _ step: SQLStep,
        deadline: ContinuousClock.Instant? = nil
    ) async throws -> PostgreSQLResult {
        try step.check()
        return try await driver.run([step], deadline: deadline ?? defaultDeadline)[0]
    }

    /// Executes several statements in one transaction with the isolation level `READ COMMITTED`, in one round trip with one commit. Either all
    /// have an effect or none.
    ///
    /// - Returns: a result for each statement.
    /// - Throws: as ``execute(_:deadline:)``. ``PostgreSQLServerError/step`` is the position of the statement that has failed.
    @discardableResult
    package func batch(
        _ steps: [SQLStep],
        deadline: ContinuousClock.Instant? = nil
    ) async throws -> [PostgreSQLResult] {
        guard !steps.isEmpty else { return [] }
        for step in steps { try step.check() }
        return try await driver.run(steps, deadline: deadline ?? defaultDeadline)
    }

    /// Calls `body` with a transaction, and commits it when `body` returns. If `body` throws, the transaction is rolled back and the error
    /// is thrown.
    ///
    /// The transaction begins with its first statement, in the same round trip. Nothing is sent if there is no statement.
    ///
    /// - Parameters:
    ///   - deadline: when the transaction fails, including its commit; `nil` for the configuration's `callTimeout` from now.
    ///   - key: names what the transaction locks. This pool runs transactions with the same key one at a time, so that those that would wait
    ///     for the same lock take one connection.
    /// - Throws: ``PostgreSQLError/outcomeUnknown(reason:)`` if the connection is lost or the deadline passes after the commit was sent.
    ///   With any other error, nothing is committed. If a statement has failed and `body` returns nevertheless, its error is thrown.
    package func transaction<Value>(
        deadline: ContinuousClock.Instant? = nil,
        key: String? = nil,
        _ body: (PostgreSQLTransaction) async throws -> Value
    ) async throws -> Value {
        let transaction = PostgreSQLTransaction(
            driver: driver,
            deadline: deadline ?? defaultDeadline,
            key: key
        )
        let value: Value
        do {
            value = try await body(transaction)
            try Task.checkCancellation()
        } catch {
            await driver.rollback(transaction)
            throw error
        }
        try await driver.commit(transaction)
        return value
    }

    /// Rejects new calls, waits for the accepted ones until the deadline, and closes all connections.
    public func close(deadline: ContinuousClock.Instant) async {
        await driver.close(by: deadline)
    }

    /// The current figures.
    package var statistics: PoolStatistics { driver.statistics.withLock { $0 } }

    /// Updates the gauges. Call it before the metrics are read.
    package func sampleMetrics() {
        gauges.set(statistics)
    }

    private var defaultDeadline: ContinuousClock.Instant { .now + configuration.callTimeout }
}

extension SQLStatement {
    fileprivate static let check = SQLStatement("check", isReadOnly: true, postgreSQL: "SELECT 1")
}
