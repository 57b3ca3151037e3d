import AccountsDatabase
import Dispatch
import HTTPMessages
import Logging
import Synchronization
import ThreadExecutors

/// The connections of a pool.
extension PostgreSQLPool {
    struct State {
        /// The connections without a call. The one that was used last is the first to be used again, because its memory is most likely in the
        /// processor's cache.
        var idle: [PostgreSQLConnection] = []
        var inUse = 0
        /// The calls on threads that wait for a connection.
        var waiting = 0
        var opened = 0
        /// The attempts to connect that have not ended.
        var attempts = 0
        /// How many attempts have failed, and how the last one has; `nil` if it has succeeded.
        var failures = 0
        var lastFailure: PostgreSQLError?
        /// When the next attempt to connect may start.
        var nextAttempt = ContinuousClock.now
        /// By how many hosts the next attempt to connect moves the list of hosts.
        var hostOffset = 0
        /// Whether all calls end.
        var isClosed = false

        /// The error of a call whose deadline has passed before it had a connection.
        var lateError: PostgreSQLError {
            if inUse + idle.count > 0 { return .deadlineExceeded }
            let reason = lastFailure.map { .lossReason($0) } ?? "no connection was opened before the deadline"
            return .unavailable(reason: reason)
        }
    }

    /// The longest pause after a failed attempt to connect. Each is random, so that the servers of one database do not connect at the same time.
    private static let longestPause: Duration = .milliseconds(500)

    /// Calls `body` with a connection, which executes batches, each in a transaction of its own and one round trip, on a thread of the pool.
    /// If the task is cancelled, the connection is closed, and this throws `CancellationError` if nothing can have been committed.
    ///
    /// Without a deadline, the call fails after the configuration's `callTimeout`. A request that has waited until a deadline in vain does
    /// not wait again. `key` names what the call locks. If it `failsFast`, the first failed attempt to connect fails the call. `isolation` is
    /// the caller's actor, which the closure would leave otherwise.
    package func batches<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        key: String? = nil,
        failsFast: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ body: @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        let trace = RequestTrace.current
        let deadline = deadline ?? (trace?.waitsSince ?? .now) + configuration.callTimeout
        do {
            return try await threads.run(until: deadline, key: key, isolation: isolation) { call in
                let connection = try connection(until: deadline, failsFast: failsFast)
                defer { giveBack(connection) }
                call.use(connection.signal.send)
                if let error = interruption { throw error }
                connection.begin(until: deadline) { self.interruption }
                return try body(connection)
            }
        } catch {
            let error = replacement(for: error)
            if .now >= deadline { trace?.waitsSince = deadline - configuration.callTimeout }
            if error is PostgreSQLError || error is SQLValueError || error is CancellationError {
                StatementMetrics(factory: factory).count(error)
            }
            throw error
        }
    }

    /// The error of a call that does not run, in place of that of the threads.
    private func replacement(for error: any Error) -> any Error {
        switch error as? ThreadPool.Rejection {
        case .closed: PostgreSQLError.poolIsClosed
        case .full: PostgreSQLError.queueFull
        case .late: state.withLock(\.lateError)
        case .noThread(let reason): PostgreSQLError.unavailable(reason: "cannot start a thread: \(reason)")
        case nil: error
        }
    }

    /// Why a call must not wait any longer; `nil` if it may.
    private var interruption: (any Error)? {
        if state.withLock(\.isClosed) { return PostgreSQLError.poolIsClosed }
        return Task.isCancelled ? CancellationError() : nil
    }

    // MARK: Connections

    /// Waits for a connection that no other call uses.
    private func connection(until deadline: ContinuousClock.Instant, failsFast: Bool) throws -> PostgreSQLConnection {
        let failures = state.withLock { state in
            state.waiting += 1
            return state.failures
        }
        defer { state.withLock { $0.waiting -= 1 } }
        while true {
            if let error = interruption { throw error }
            if let connection = takeIdle() { return connection }
            try state.withLock { state in
                if failsFast, state.failures > failures, let failure = state.lastFailure { throw failure }
                if deadline <= .now { throw state.lateError }
            }
            startAttempt()
            // Not for longer, because a task that is cancelled does not signal it.
            _ = changes.wait(timeout: .now() + .milliseconds(20))
        }
    }

    private func takeIdle() -> PostgreSQLConnection? {
        while true {
            let connection = state.withLock { state in
                if !state.idle.isEmpty { state.inUse += 1 }
                return state.idle.popLast()
            }
            // An idle connection receives nothing, unless the server closes it or reports that a setting has changed.
            guard let connection, connection.isReadable else { return connection }
            state.withLock { $0.inUse -= 1 }
        }
    }

    private func giveBack(_ connection: PostgreSQLConnection) {
        connection.end()
        // It counts until the server has ended the commit. Otherwise, one commit after the other that waits for a standby would take all
        // connections that the server accepts.
        let wait = { @Sendable in
            connection.awaitResponse { !self.state.withLock(\.isClosed) }
            self.release(connection)
        }
        guard connection.isCommitting, DetachedThread.start("PostgreSQL", wait) == nil else {
            return release(connection)
        }
    }

    private func release(_ connection: PostgreSQLConnection) {
        // They are closed after the lock is released.
        _ = state.withLock { state in
            state.inUse -= 1
            if !state.isClosed, connection.isReusable { state.idle.append(connection) }
            if state.waiting > 0 { changes.signal() }
            let old = state.idle.filter { $0.expiry <= .now }
            if !old.isEmpty { state.idle.removeAll { $0.expiry <= .now } }
            return old
        }
    }

    /// Begins to open a connection, unless there are enough attempts: as many as calls that wait, and after a failure one at a time.
    ///
    /// An attempt has a thread of its own, because it can take longer than a call: libpq blocks while it resolves a name.
    private func startAttempt() {
        let offset: Int? = state.withLock { state in
            let limit = state.lastFailure == nil ? state.waiting : 1
            guard state.idle.isEmpty, state.attempts < limit, state.nextAttempt <= .now,
                state.attempts + state.inUse < configuration.maximumConnections
            else { return nil }
            state.attempts += 1
            return state.hostOffset
        }
        guard let offset else { return }
        if let reason = DetachedThread.start("PostgreSQL", { self.attempt(hostOffset: offset) }) {
            finishAttempt(.failure(.unavailable(reason: "cannot start a thread: \(reason)")))
        }
    }

    private func attempt(hostOffset: Int) {
        finishAttempt(
            Result { () throws(PostgreSQLError) in
                let metrics = StatementMetrics(factory: factory)
                let connection = try PostgreSQLConnection(configuration, hostOffset: hostOffset, metrics)
                try connection.open()
                return connection
            }
        )
    }

    private func finishAttempt(_ result: Result<PostgreSQLConnection, PostgreSQLError>) {
        let (former, isClosed) = state.withLock { state in
            let former = state.lastFailure
            state.attempts -= 1
            switch result {
            case .success(let connection):
                state.lastFailure = nil
                state.opened += 1
                if !state.isClosed { state.idle.append(connection) }
            case .failure(let error):
                state.lastFailure = error
                state.failures += 1
                state.hostOffset += 1
                state.nextAttempt = .now + Self.longestPause * .random(in: 0...1)
            }
            return (former, state.isClosed)
        }
        changes.signal()
        switch result {
        case .success: if former != nil { logger.notice("PostgreSQL is available again") }
        case .failure(let error):
            guard former == nil, !isClosed else { return }
            logger.warning("cannot connect to PostgreSQL", metadata: ["reason": "\(String.lossReason(error))"])
        }
    }
}

/// The figures of a pool at one moment.
package struct PoolStatistics: Sendable, Equatable {
    /// The connections that execute a call, that a transaction has reserved, or whose commit the server has not ended.
    package let inUse: Int
    /// The connections that wait for a call.
    package let idle: Int
    /// The calls that wait for a connection.
    package let waiting: Int
    /// The connections that were opened since the start.
    package let opened: Int
}
