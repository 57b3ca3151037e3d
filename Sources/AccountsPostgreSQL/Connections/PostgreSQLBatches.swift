package import AccountsDatabase

/// A connection in the body of ``PostgreSQLPool/batches(deadline:failsFast:_:)``.
package struct PostgreSQLBatches {
    private let connection: Connection
    private let deadline: ContinuousClock.Instant

    init(_ connection: Connection, until deadline: ContinuousClock.Instant) {
        self.connection = connection
        self.deadline = deadline
    }

    /// Executes statements in one transaction with the isolation level `READ COMMITTED` and one round trip, waits for the server, and returns their results.
    @discardableResult
    package func execute(_ steps: [SQLStep]) throws -> [PostgreSQLResult] {
        for step in steps { try step.check() }
        return try connection.execute(steps, .transaction, until: deadline)
    }
}
