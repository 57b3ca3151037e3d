internal import SQLStatements

extension PoolDriver {
    /// Executes statements in a transaction, which the first ones begin.
    func run(_ steps: [SQLStep], in handle: PostgreSQLTransaction) async throws -> [PostgreSQLResult] {
        let transaction = try claim(handle)
        let begins = transaction.connection == nil
        let number = nextCall()
        let steps = begins ? [SQLStep(.begin)] + steps : steps
        let results = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                submit(
                    Exchange(
                        number: number,
                        steps: steps,
                        deadline: transaction.deadline,
                        kind: .part,
                        transaction: transaction,
                        resume: { continuation.resume(with: $0) }
                    )
                )
            }
        } onCancel: {
            Task { await self.cancel(number) }
        }
        return begins ? Array(results.dropFirst()) : results
    }

    /// Commits a transaction. Does nothing if it has executed no statement.
    func commit(_ handle: PostgreSQLTransaction) async throws {
        guard let transaction = transactions[handle.number] else { return handle.end() }
        let misuse = PostgreSQLError.transactionMisused(reason: "a statement is still being executed")
        if let failure = transaction.failure ?? (transaction.isBusy ? misuse : nil) {
            await rollback(handle)
            throw failure
        }
        let results = try await finish(transaction, handle, .commit, .commit)
        // A server that has aborted the transaction rolls it back instead.
        guard results.last?.command == "COMMIT" else {
            throw PostgreSQLError.unavailable(reason: "the server has rolled the transaction back")
        }
    }

    /// Rolls a transaction back. If that fails, its connection is closed, which has the same effect.
    func rollback(_ handle: PostgreSQLTransaction) async {
        guard let transaction = transactions[handle.number] else { return handle.end() }
        if transaction.isBusy {
            // A task for which the transaction did not wait still executes a statement.
            let error = PostgreSQLError.transactionMisused(reason: "it has ended")
            for exchange in waiting.remove(where: { $0.transaction === transaction }) { end(exchange, error) }
            if let connection = transaction.connection { abandon(connection, "the transaction has ended", error) }
        }
        _ = try? await finish(transaction, handle, .rollback, .rollback)
    }

    /// Sends the last statement of a transaction, also if the task is cancelled.
    private func finish(
        _ transaction: OpenTransaction,
        _ handle: PostgreSQLTransaction,
        _ statement: SQLStatement,
        _ kind: Exchange.Kind
    ) async throws -> [PostgreSQLResult] {
        handle.end()
        transactions[handle.number] = nil
        defer { closeIfDrained() }
        guard transaction.connection != nil else { return [] }
        return try await withCheckedThrowingContinuation { continuation in
            submit(
                Exchange(
                    number: nextCall(),
                    steps: [SQLStep(statement)],
                    deadline: transaction.deadline,
                    kind: kind,
                    transaction: transaction,
                    resume: { continuation.resume(with: $0) }
                )
            )
        }
    }

    private func claim(_ handle: PostgreSQLTransaction) throws -> OpenTransaction {
        guard !handle.hasEnded else { throw PostgreSQLError.transactionMisused(reason: "it has ended") }
        let transaction = transactions[handle.number] ?? OpenTransaction(deadline: handle.deadline, key: handle.key)
        if let failure = transaction.failure { throw failure }
        guard !transaction.isBusy else {
            throw PostgreSQLError.transactionMisused(reason: "another statement is being executed")
        }
        transaction.isBusy = true
        transactions[handle.number] = transaction
        return transaction
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
