import CPostgreSQL
import Glibc
import AccountsDatabase

extension PostgreSQLConnection {
    /// What the end of an exchange does to its transaction.
    enum Kind {
        /// The statements are a transaction, which the end commits.
        case transaction
        /// The transaction goes on.
        case part
        /// The last statement commits the transaction.
        case commit
        /// The last statement rolls the transaction back.
        case rollback
    }

    /// Executes statements in one round trip, with one synchronisation point at their end, and returns their results.
    ///
    /// Outside a transaction, the server executes them as one transaction of their own, and commits it at the synchronisation point.
    /// A commit and a rollback continue if the task of the call is cancelled.
    @discardableResult
    func execute(_ steps: [SQLStep], _ kind: Kind) throws -> [[SQLRow]] {
        var exchange = Exchange(steps: steps, kind: kind)
        do {
            try send(&exchange)
            try receive(&exchange)
        } catch {
            isUsable = false
            isCommitting = exchange.mayBeCommitted
            if let failure = exchange.failure { throw failure }
            throw exchange.mayBeCommitted ? PostgreSQLError.outcomeUnknown(reason: .lossReason(error)) : error
        }
        if let failure = exchange.failure { throw failure }
        return exchange.results
    }
}

/// Statements that are sent together.
private struct Exchange {
    let steps: [SQLStep]
    let kind: PostgreSQLConnection.Kind
    let start = ContinuousClock.now
    /// The commands that were sent, whose results arrive in the same order, and how many of them are complete.
    var commands: [Command] = []
    var completedCommands = 0
    /// Whether the server may have received the synchronisation point.
    var isSent = false
    /// The results of the completed steps.
    var results: [[SQLRow]] = []
    /// The first error that the server has reported.
    var failure: PostgreSQLError?

    struct Command {
        let step: Int
        /// Whether it executes the step's statement, and does not prepare it.
        let isExecution: Bool
    }

    /// The command whose result arrives; `nil` at the synchronisation point.
    var currentCommand: Command? { completedCommands < commands.count ? commands[completedCommands] : nil }

    var currentStep: Int { currentCommand?.step ?? steps.count - 1 }

    /// Whether the end of the exchange commits changes.
    private var commits: Bool {
        switch kind {
        case .transaction: !steps.allSatisfy(\.statement.isQuery)
        case .commit: true
        case .part, .rollback: false
        }
    }

    /// Whether the server may have committed changes, if the connection is lost now.
    var mayBeCommitted: Bool { isSent && commits }

    /// Records an error that the server has reported, unless it is not the first one.
    mutating func fail(_ error: PostgreSQLServerError, requiresWrites: Bool) {
        guard failure == nil else { return }
        // After the last statement of a commit, the server may have committed before it ended the connection.
        let isCommitting = currentCommand == nil || (kind == .commit && currentStep == steps.count - 1)
        if error.isFatal, isCommitting, commits {
            failure = .outcomeUnknown(reason: error.message)
        } else if error.isFatal || error.isShutdown || (error.isReadOnlyServer && requiresWrites) {
            failure = .unavailable(reason: error.message)
        } else if error.isCancellation {
            failure = .deadlineExceeded
        } else {
            failure = .server(error)
        }
    }
}

extension PostgreSQLConnection {
    /// Sends the statements and their synchronisation point. Statements that the connection has not prepared are prepared first.
    private func send(_ exchange: inout Exchange) throws {
        guard deadline > exchange.start else { throw PostgreSQLError.deadlineExceeded }
        if !configuration.preparedStatements {
            // Then each exchange limits its own statements and their waits for locks.
            let sql = """
                SELECT set_config('statement_timeout', '\((deadline - exchange.start).limit)', true),
                    set_config('lock_timeout', '\(configuration.lockTimeout.limit)', true),
                    set_config('idle_in_transaction_session_timeout', '\(configuration.idleTransactionTimeout.limit)', true)
                """
            guard PQsendQueryParams(pointer, sql, 0, nil, nil, nil, nil, Self.binary) == 1 else { throw loss }
            exchange.commands.append(.init(step: 0, isExecution: false))
        }
        for (index, step) in exchange.steps.enumerated() {
            let statement = step.statement
            // A batch may contain the statement several times.
            if configuration.preparedStatements, prepared.insert(statement.number).inserted {
                guard PQsendPrepare(pointer, statement.preparedName, statement.text.postgreSQL, 0, nil) == 1 else {
                    throw loss
                }
                exchange.commands.append(.init(step: index, isExecution: false))
            }
            exchange.commands.append(.init(step: index, isExecution: true))
            guard send(step) else { throw loss }
        }
        guard PQpipelineSync(pointer) == 1 else { throw loss }
    }

    private static var binary: Int32 { 1 }

    /// Returns `false` if libpq has no memory or the connection is lost.
    private func send(_ step: SQLStep) -> Bool {
        let statement = step.statement
        return StatementParameters(step.parameters).withPointers { count, values, lengths, formats in
            if configuration.preparedStatements {
                return PQsendQueryPrepared(
                    pointer,
                    statement.preparedName,
                    count,
                    values,
                    lengths,
                    formats,
                    Self.binary
                )
            }
            let sql = statement.text.postgreSQL
            return PQsendQueryParams(pointer, sql, count, nil, values, lengths, formats, Self.binary)
        } == 1
    }

    /// Sends what libpq has buffered, and receives results until the synchronisation point.
    private func receive(_ exchange: inout Exchange) throws {
        var isAlive = try transfer(&exchange)
        while true {
            while PQisBusy(pointer) == 1 {
                guard isAlive, PQstatus(pointer) == CONNECTION_OK else { throw loss }
                isAlive = try transfer(&exchange)
            }
            guard let result = PQgetResult(pointer) else {
                // A command is complete, or an error that the server has found when it committed.
                exchange.completedCommands += 1
                guard exchange.completedCommands <= exchange.commands.count + 1 else { throw loss }
                continue
            }
            if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
                PQclear(result)
                isUsable = isUsable && isAlive
                guard exchange.failure != nil || exchange.results.count == exchange.steps.count else {
                    let (count, expected) = (exchange.results.count, exchange.steps.count)
                    throw PostgreSQLError.unavailable(reason: "received \(count) results instead of \(expected)")
                }
                return
            }
            try take(result, &exchange)
        }
    }

    /// Sends and receives what is possible, after a wait. Returns whether the server may send more.
    private func transfer(_ exchange: inout Exchange) throws -> Bool {
        let pending = PQflush(pointer)
        guard pending >= 0 else { throw loss }
        if pending == 0 { exchange.isSent = true }
        let isCancellable = exchange.kind == .transaction || exchange.kind == .part
        try wait(pending == 1 ? POLLIN | POLLOUT : POLLIN, isCancellable: isCancellable)
        return PQconsumeInput(pointer) == 1
    }

    /// Adds the result of a command to the exchange.
    private func take(_ result: OpaquePointer, _ exchange: inout Exchange) throws {
        defer { PQclear(result) }
        let statement = exchange.steps[exchange.currentStep].statement
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            guard exchange.currentCommand?.isExecution == true else { return }
            // A server that has aborted the transaction rolls it back instead.
            if exchange.kind == .commit, String(cString: PQcmdStatus(result)) != "COMMIT" {
                exchange.failure = .unavailable(reason: "the server has rolled the transaction back")
            }
            exchange.results.append(SQLRow.rows(of: result))
            metrics.record(statement, .now - exchange.start)
        case let status:
            if exchange.currentCommand?.isExecution == false { prepared.remove(statement.number) }
            if status == PGRES_PIPELINE_ABORTED { return }
            // The server has not sent it, because the connection is lost. A command that needs data from the client, such as COPY, has no
            // SQLSTATE either.
            guard let error = PostgreSQLServerError(result, statement: statement.name) else { throw loss }
            // Its statements may refer to what no longer exists on the server.
            if error.isFatal || error.invalidatesPreparedStatements { isUsable = false }
            if error.isReadOnlyServer, configuration.requiresWrites { isUsable = false }
            exchange.fail(error, requiresWrites: configuration.requiresWrites)
        }
    }
}

extension PostgreSQLServerError {
    /// Whether the server shuts down or restarts.
    fileprivate var isShutdown: Bool { sqlState.hasPrefix("57P") }

    /// Whether the server has cancelled the statement, which it does after `statement_timeout`.
    fileprivate var isCancellation: Bool { sqlState == "57014" }

    /// Whether the server rejects a statement that it has prepared.
    fileprivate var invalidatesPreparedStatements: Bool { ["26000", "0A000"].contains(sqlState) }

    /// Whether the server accepts no writes, for example because it has become a standby.
    var isReadOnlyServer: Bool { sqlState == "25006" }
}
