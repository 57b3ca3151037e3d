internal import Logging
internal import Synchronization
internal import SQLStatements

extension PoolDriver {
    /// Opens connections for the waiting calls, unless the pool has enough or must wait before it tries again.
    func connectForWaitingCalls() {
        while true {
            let connecting = connections.count { !$0.isReady }
            guard waiting.count > connecting, connections.count < configuration.maximumConnections else { return }
            let now = ContinuousClock.now
            guard backoff.allowsAttempt(at: now, connecting: connecting) else {
                // An attempt that is in progress ends by itself.
                if let next = backoff.nextAttempt, next > now { examineDeadlines(by: next) }
                return
            }
            connect(now)
        }
    }

    private func connect(_ now: ContinuousClock.Instant) {
        let connection = Connection(
            number: nextNumber(),
            parameters: configuration.connectionParameters(hostOffset: hostOffset),
            poller: poller,
            connectDeadline: now + configuration.connectTimeout,
            expiry: now + configuration.maximumLifetime * .random(in: 0.9...1)
        )
        guard let connection else { return attemptFailed("there is no memory for a connection") }
        connections.append(connection)
        examineDeadlines(by: connection.connectDeadline)
        advance(connection, connection.startConnecting())
    }

    /// Continues with a connection that is being opened.
    func advance(_ connection: Connection, _ progress: Connection.Progress) {
        switch progress {
        case .waiting: break
        case .lost(let reason): lose(connection, reason)
        case .complete: configure(connection)
        }
    }

    /// Makes the settings of a connection that the server has accepted.
    private func configure(_ connection: Connection) {
        guard configuration.preparedStatements else { return ready(connection) }
        let limit = SQLValue.text("\(configuration.statementTimeout.wholeMilliseconds)")
        let lockLimit = SQLValue.text("\(configuration.lockTimeout.wholeMilliseconds)")
        let setup = Exchange(
            number: nextCall(),
            steps: [SQLStep(.setup, [limit, lockLimit])],
            deadline: connection.connectDeadline,
            kind: .rollback
        )
        if !connection.send(setup, &buffer, timeouts: nil) { lose(connection, connection.message) }
    }

    /// Called when the server has made the settings of a connection, or has refused to.
    func completeSetup(_ connection: Connection) {
        if let failure = connection.exchange?.failure { return lose(connection, "\(failure)") }
        connection.exchange = nil
        ready(connection)
    }

    /// Uses a connection for calls.
    private func ready(_ connection: Connection) {
        connection.isReady = true
        if lastFailure != nil { logger.notice("PostgreSQL is available again") }
        lastFailure = nil
        backoff.succeed()
        statistics.withLock { $0.opened += 1 }
        offer(connection)
        connectForWaitingCalls()
    }

    /// Records that a connection could not be opened.
    ///
    /// - Parameter rejection: the SQLSTATE with which the server has rejected it.
    func attemptFailed(_ reason: String, rejection: String? = nil) {
        if lastFailure == nil {
            logger.warning("cannot connect to PostgreSQL", metadata: ["reason": "\(reason)"])
        }
        lastFailure = reason
        backoff.fail(at: .now)
        if let next = backoff.nextAttempt { examineDeadlines(by: next) }
        for exchange in waiting.remove(where: \.failsFast) {
            let rejected = rejection.map { PostgreSQLError.connectionRejected(sqlState: $0, reason: reason) }
            end(exchange, rejected ?? .unavailable(reason: reason))
        }
    }

    /// Closes a connection that does not work any more, and fails what it executes.
    func lose(_ connection: Connection, _ reason: String) {
        abandon(connection, reason, PostgreSQLError.unavailable(reason: reason))
    }

    /// Closes a connection that must not be used again, and fails what it executes: with `error` if nothing can have been committed.
    func abandon(_ connection: Connection, _ reason: String, _ error: any Error) {
        let (isReady, rejection) = (connection.isReady, connection.rejection)
        close(connection)
        if !isReady {
            connection.exchange = nil
            attemptFailed(reason, rejection: rejection)
        }
        if let transaction = connection.transaction.take() {
            detach(transaction)
            transaction.failure = transaction.failure ?? error as? PostgreSQLError ?? .unavailable(reason: reason)
        }
        if let exchange = connection.exchange.take() { end(exchange, exchange.lossError(reason, otherwise: error)) }
        // The next transaction with the same key may begin.
        if let idle = idle.popLast() { offer(idle) }
        connectForWaitingCalls()
        closeIfDrained()
    }

    /// Closes a connection and forgets it.
    func close(_ connection: Connection) {
        connections.removeAll { $0 === connection }
        idle.removeAll { $0 === connection }
        connection.close()
    }
}

extension SQLStatement {
    /// Limits what the server does for a connection, also if the client is gone: it ends statements whose client has closed the
    /// connection, those that take too long or wait too long for a lock, and transactions whose next statement does not arrive.
    fileprivate static let setup = SQLStatement(
        "setup",
        isReadOnly: true,
        postgreSQL: """
            SELECT set_config(
                name,
                CASE name WHEN 'client_connection_check_interval' THEN '1000' WHEN 'lock_timeout' THEN $2 ELSE $1 END,
                false
            )
            FROM pg_settings WHERE name IN (
                'statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout',
                'client_connection_check_interval'
            )
            """
    )
}
