internal import Synchronization
internal import ThreadExecutors
internal import SQLStatements

extension PoolDriver {
    /// Executes statements as a transaction of their own, and returns their results.
    ///
    /// If the task is cancelled, the connection is closed, and this throws `CancellationError` if nothing can have been committed.
    nonisolated func run(
        _ steps: [SQLStep],
        deadline: ContinuousClock.Instant,
        failsFast: Bool = false
    ) async throws -> [PostgreSQLResult] {
        try await runUnlessCancelled { number, resume in
            Exchange(number: number, steps: steps, deadline: deadline, failsFast: failsFast, resume: resume)
        }
    }

    /// Executes the exchange that `make` returns, unless the task is cancelled. `make` is called on the thread.
    ///
    /// - Parameter isolation: the caller's actor, which the closure would leave otherwise.
    private func runUnlessCancelled(
        isolation: isolated (any Actor)? = #isolation,
        _ make: @escaping @Sendable (Int, @escaping (Result<[PostgreSQLResult], any Error>) -> Void) -> Exchange
    ) async throws -> [PostgreSQLResult] {
        let number = nextCall()
        let call = Call()
        let executor = ParkingExecutor { [self] executor in
            thread.executor.submit { [self] in
                assumeIsolated { driver in
                    let exchange = make(number) { result in
                        call.result.withLock { $0 = result }
                        executor.resume()
                    }
                    driver.submit(exchange, unlessCancelled: call)
                }
            }
        }
        return try await withTaskCancellationHandler {
            _ = isolation
            await ParkingExecutor.Isolation(executor).wait()
            return try call.result.withLock { try $0.get() }
        } onCancel: {
            call.isCancelled.store(true, ordering: .relaxed)
            thread.executor.submit { [self] in assumeIsolated { $0.cancel(number) } }
        }
    }

    /// What a call's task and the thread share.
    private final class Call: Sendable {
        /// Whether the task is cancelled, which may be before it waits.
        let isCancelled = Atomic(false)
        let result = Mutex<Result<[PostgreSQLResult], any Error>>(.failure(CancellationError()))
    }

    /// Executes an exchange, unless its task was cancelled before there was anything to cancel.
    private func submit(_ exchange: Exchange, unlessCancelled call: Call) {
        guard !call.isCancelled.load(ordering: .relaxed) else { return end(exchange, CancellationError()) }
        submit(exchange)
    }

    /// Executes an exchange as soon as there is a connection.
    func submit(_ exchange: Exchange) {
        if let connection = exchange.transaction?.connection {
            guard exchange.deadline <= .now else { return start(exchange, on: connection) }
            abandon(connection, "the deadline has passed", PostgreSQLError.deadlineExceeded)
            return end(exchange, PostgreSQLError.deadlineExceeded)
        }
        if let error = rejection(of: exchange) { return end(exchange, error) }
        // While a connection is idle, all waiting calls wait for transactions with their keys.
        if !isBlocked(exchange), let connection = idle.popLast() { return start(exchange, on: connection) }
        guard waiting.count < configuration.maximumWaiting else { return end(exchange, PostgreSQLError.queueFull) }
        waiting.append(exchange)
        examineDeadlines(by: exchange.deadline)
        connectForWaitingCalls()
    }

    private func rejection(of exchange: Exchange) -> PostgreSQLError? {
        if case .no = closing {} else { return .unavailable(reason: "the pool is closed") }
        return exchange.deadline <= .now ? .deadlineExceeded : nil
    }

    /// Sends an exchange on a connection without another.
    private func start(_ exchange: Exchange, on connection: Connection) {
        let now = ContinuousClock.now
        connection.sentAt = now
        if let transaction = exchange.transaction {
            transaction.connection = connection
            connection.transaction = transaction
            if let key = transaction.key { busyKeys.insert(key) }
        }
        examineDeadlines(by: exchange.deadline)
        let timeouts = (
            statement: (exchange.deadline - now).wholeMilliseconds, lock: configuration.lockTimeout.wholeMilliseconds
        )
        let isSent = connection.send(exchange, &buffer, timeouts: configuration.preparedStatements ? nil : timeouts)
        if !isSent { lose(connection, connection.message) }
    }

    /// Reads what the server has sent to a connection.
    func receive(_ connection: Connection) {
        let sentAt = connection.sentAt
        let progress = connection.receive { statement in metrics.record(statement, .now - sentAt) }
        switch progress {
        case .waiting: break
        case .lost(let reason): lose(connection, reason)
        case .complete: complete(connection)
        }
    }

    private func complete(_ connection: Connection) {
        guard connection.isReady else { return completeSetup(connection) }
        guard let exchange = connection.exchange.take() else { return }
        if case .server(let error) = exchange.failure, error.isReadOnlyServer, configuration.requiresWrites {
            connection.mustClose = true
            exchange.failure = .unavailable(reason: error.message)
        }
        if let transaction = exchange.transaction, exchange.kind == .part {
            transaction.isBusy = false
            transaction.failure = transaction.failure ?? exchange.failure
            if connection.mustClose { lose(connection, "the server has rejected a prepared statement") }
        } else {
            connection.transaction = nil
            if let transaction = exchange.transaction { detach(transaction) }
            // The next call starts before this one's caller is resumed, so that the server has work.
            release(connection)
            closeIfDrained()
        }
        if let failure = exchange.failure { metrics.count(failure) }
        exchange.finish()
    }

    /// Gives a connection that has executed a call to the next one, or closes it if it must not be used again.
    private func release(_ connection: Connection) {
        guard !connection.mustClose, connection.isReusable, connection.expiry > .now else {
            close(connection)
            return connectForWaitingCalls()
        }
        offer(connection)
    }

    /// Gives a connection that has nothing to do to the next call.
    func offer(_ connection: Connection) {
        if let next = waiting.popFirst(where: { !isBlocked($0) }) {
            start(next, on: connection)
        } else if case .no = closing {
            idle.append(connection)
            examineDeadlines(by: connection.expiry)
        } else {
            close(connection)
        }
    }

    /// Whether an exchange begins a transaction while another one with the same key runs.
    private func isBlocked(_ exchange: Exchange) -> Bool {
        guard let transaction = exchange.transaction, let key = transaction.key else { return false }
        return transaction.connection == nil && busyKeys.contains(key)
    }

    /// Separates a transaction from its connection, so that the next one with the same key may begin.
    func detach(_ transaction: OpenTransaction) {
        guard transaction.connection != nil else { return }
        transaction.connection = nil
        if let key = transaction.key { busyKeys.remove(key) }
    }

    /// Fails an exchange that no connection executes.
    func end(_ exchange: Exchange, _ error: any Error) {
        metrics.count(error)
        if let transaction = exchange.transaction {
            transaction.isBusy = false
            transaction.failure = transaction.failure ?? error as? PostgreSQLError
        }
        exchange.finish(.failure(error))
    }

    /// Ends an exchange whose task was cancelled.
    func cancel(_ number: Int) {
        if let exchange = waiting.remove(where: { $0.number == number }).first {
            return end(exchange, CancellationError())
        }
        guard let connection = connections.first(where: { $0.exchange?.number == number }) else { return }
        abandon(connection, "the call was cancelled", CancellationError())
    }
}
