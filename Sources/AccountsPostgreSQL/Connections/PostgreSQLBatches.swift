package import AccountsDatabase

/// A connection in the body of ``PostgreSQLPool/batches(deadline:failsFast:_:)``.
package struct PostgreSQLBatches: SQLConnection {
    let connection: Connection
    let deadline: ContinuousClock.Instant

    /// Executes statements in one transaction with the isolation level `READ COMMITTED` and one round trip, waits for the server, and returns their results.
    @discardableResult
    package func batch(_ steps: [SQLStep]) throws -> [[SQLRow]] {
        for step in steps { try step.check() }
        return steps.isEmpty ? [] : try connection.execute(steps, .transaction, until: deadline)
    }
}
