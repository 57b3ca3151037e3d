internal import CPostgreSQL
internal import SQLStatements

extension Connection {
    /// Reads what the server has sent, and adds results to the exchange. Never blocks.
    ///
    /// - Parameter onCompletion: is called with each completed step.
    func receive(onCompletion: (SQLStatement) -> Void) -> Progress {
        guard let exchange else {
            // An idle connection receives nothing, unless the server closes it or reports that a setting has changed.
            return .lost(reason: PQconsumeInput(pointer) == 1 ? idleMessage : message)
        }
        let isAlive = PQconsumeInput(pointer) == 1
        while PQisBusy(pointer) == 0 {
            guard let result = PQgetResult(pointer) else {
                // A command is complete, or an error that the server has found when it committed.
                completedCommands += 1
                guard completedCommands <= commands.count + 1 else { return .lost(reason: message) }
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                if !isAlive { mustClose = true }
                return .complete
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                add(result, to: exchange, onCompletion)
            case PGRES_PIPELINE_ABORTED:
                forgetPreparation(exchange)
                PQclear(result)
            default:
                defer { PQclear(result) }
                if !fail(exchange, result) { return .lost(reason: message) }
            }
        }
        guard isAlive, PQstatus(pointer) == CONNECTION_OK, flush() else { return .lost(reason: message) }
        return .waiting
    }

    private var idleMessage: String { "the server has closed or changed an idle connection" }

    /// The command whose result arrives; `nil` at the synchronisation point.
    private var currentCommand: Command? {
        completedCommands < commands.count ? commands[completedCommands] : nil
    }

    private func add(_ result: OpaquePointer, to exchange: Exchange, _ onCompletion: (SQLStatement) -> Void) {
        switch currentCommand {
        case .execute(let step):
            exchange.results.append(PostgreSQLResult(result))
            onCompletion(exchange.steps[step].statement)
        case .prepare, .setting, nil:
            PQclear(result)
        }
    }

    /// Records that the server has not prepared a statement, if it should have.
    private func forgetPreparation(_ exchange: Exchange) {
        if case .prepare(let step) = currentCommand { setPrepared(exchange.steps[step].statement, false) }
    }

    /// Records the first error of the exchange. Returns `false` if the server has not sent it, because the connection is lost.
    private func fail(_ exchange: Exchange, _ result: OpaquePointer) -> Bool {
        forgetPreparation(exchange)
        let step: Int
        switch currentCommand {
        case .prepare(let number), .execute(let number): step = number
        case .setting: step = 0
        case nil: step = exchange.steps.count - 1
        }
        let statement = exchange.steps[step].statement
        // A command that needs data from the client, such as COPY, has no SQLSTATE either.
        guard let error = PostgreSQLServerError(result, statement: statement.name, step: step) else { return false }
        // Its statements may refer to what no longer exists on the server.
        if error.isFatal || error.invalidatesPreparedStatements { mustClose = true }
        guard exchange.failure == nil else { return true }
        // After the last statement of a commit, the server may have committed before it ended the connection.
        let isCommitting = currentCommand == nil || (exchange.kind == .commit && step == exchange.steps.count - 1)
        if error.isFatal, isCommitting, exchange.commits {
            exchange.failure = .outcomeUnknown(reason: error.message)
        } else if error.isFatal || error.isShutdown {
            exchange.failure = .unavailable(reason: error.message)
        } else if error.isCancellation {
            exchange.failure = .deadlineExceeded
        } else {
            exchange.failure = .server(error)
        }
        return true
    }
}

extension PostgreSQLServerError {
    /// Whether the server shuts down or restarts.
    var isShutdown: Bool { sqlState.hasPrefix("57P") }

    /// Whether the server has cancelled the statement, which it does after `statement_timeout`.
    var isCancellation: Bool { sqlState == "57014" }

    /// Whether the server rejects a statement that it has prepared.
    var invalidatesPreparedStatements: Bool { ["26000", "0A000"].contains(sqlState) }

    /// Whether the server accepts no writes, for example because it has become a standby.
    var isReadOnlyServer: Bool { sqlState == "25006" }
}
