package import AccountsDatabase

/// A transaction in the body of ``PostgreSQLPool/transaction(deadline:key:_:)``. Each method waits for the server.
package final class PostgreSQLTransaction: SQLConnection {
    private let connection: Connection
    private let deadline: ContinuousClock.Instant
    private var isOpen = false
    /// Why the transaction cannot be committed.
    private var failure: (any Error)?

    init(_ connection: Connection, until deadline: ContinuousClock.Instant) {
        self.connection = connection
        self.deadline = deadline
    }

    /// Executes statements in one round trip, and returns their results. After an error, the transaction can only be rolled back.
    ///
    /// - Throws: ``PostgreSQLError``; `CancellationError` if the task is cancelled.
    @discardableResult
    package func batch(_ steps: [SQLStep]) throws -> [[SQLRow]] {
        for step in steps { try step.check() }
        if let failure { throw failure }
        let beginning = isOpen ? [] : [SQLStep(.begin)]
        isOpen = true
        do {
            return Array(try connection.execute(beginning + steps, .part, until: deadline).dropFirst(beginning.count))
        } catch {
            failure = error
            throw error
        }
    }

    /// Commits the transaction, also if the task is cancelled.
    func commit() throws {
        if let failure { throw failure }
        guard isOpen else { return }
        try connection.execute([SQLStep(.commit)], .commit, until: deadline)
        isOpen = false
    }

    /// Rolls the transaction back. If that fails, its connection is closed, which has the same effect.
    func rollBack() {
        guard isOpen, connection.isUsable else { return }
        isOpen = false
        _ = try? connection.execute([SQLStep(.rollback)], .rollback, until: deadline)
    }
}

extension SQLStatement {
    fileprivate static let begin = SQLStatement(
        "begin",
        isReadOnly: true,
        postgreSQL: "BEGIN ISOLATION LEVEL READ COMMITTED"
    )
    fileprivate static let commit = SQLStatement("commit", postgreSQL: "COMMIT")
    fileprivate static let rollback = SQLStatement("rollback", postgreSQL: "ROLLBACK")
}
