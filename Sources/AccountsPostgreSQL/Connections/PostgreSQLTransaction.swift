package import AccountsDatabase

/// A transaction in the body of ``PostgreSQLPool/transaction(deadline:key:_:)``. Each method waits for the server.
package final class PostgreSQLTransaction: SQLConnection {
    private let connection: PostgreSQLConnection
    private var isOpen = false
    /// `nil` before the first statement.
    private(set) var id: ID?
    /// Why the transaction cannot be committed.
    private var failure: (any Error)?

    /// PostgreSQL's ID of a transaction, and when the server started. After a restart or on a standby that has been promoted, the same ID can be
    /// that of another transaction.
    struct ID {
        let transaction: String
        let serverStart: String
    }

    init(_ connection: PostgreSQLConnection) {
        self.connection = connection
    }

    /// Executes statements in one round trip, and returns their results. After an error, the transaction can only be rolled back.
    @discardableResult
    package func batch(_ steps: [SQLStep]) throws -> [[SQLRow]] {
        if steps.isEmpty { return [] }
        for step in steps { try step.parameters.check(for: step.statement.name) }
        if let failure { throw failure }
        do {
            if isOpen { return try connection.execute(steps, .part) }
            isOpen = true
            // The first round trip also asks for the ID, at its end, because a step may set the isolation level.
            let results = try connection.execute([SQLStep(.begin)] + steps + [SQLStep(.id)], .part)
            if let row = results.last?.first { id = ID(transaction: try row.text(0), serverStart: try row.text(1)) }
            return Array(results.dropFirst().dropLast())
        } catch {
            failure = error
            throw error
        }
    }

    /// Commits the transaction, also if the task is cancelled.
    func commit() throws {
        if let failure { throw failure }
        guard isOpen else { return }
        try connection.execute([SQLStep(.commit)], .commit)
        isOpen = false
    }

    /// Rolls the transaction back. If that fails, its connection is closed, which has the same effect.
    func rollBack() {
        guard isOpen, connection.isUsable else { return }
        isOpen = false
        _ = try? connection.execute([SQLStep(.rollback)], .rollback)
    }
}

extension SQLStatement {
    fileprivate static let begin = SQLStatement("begin", postgreSQL: "BEGIN ISOLATION LEVEL READ COMMITTED")
    fileprivate static let id = SQLStatement(
        "transaction id",
        postgreSQL: "SELECT pg_current_xact_id()::text, pg_postmaster_start_time()::text"
    )
    fileprivate static let commit = SQLStatement("commit", postgreSQL: "COMMIT")
    fileprivate static let rollback = SQLStatement("rollback", postgreSQL: "ROLLBACK")
}
