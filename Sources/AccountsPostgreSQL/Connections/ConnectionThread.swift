internal import AccountsDatabase
internal import Glibc
internal import ThreadExecutors

/// A thread that opens a connection, executes calls on it, and ends with it.
final class ConnectionThread: @unchecked Sendable {
    // Sendable because the lock of the pool protects what is not constant, except for the connection, which only the thread uses.

    /// Wakes the thread: for a call, or because its call must end.
    let signal: Signal
    /// What the thread executes or will execute.
    var call: Call?
    /// Whether the connection is open.
    var isConnected = false
    private var connection: PostgreSQLConnection?
    /// When the connection is replaced.
    private var expiry = ContinuousClock.now
    private let pool: ConnectionPool

    init(_ pool: ConnectionPool) throws(PostgreSQLError) {
        self.pool = pool
        signal = try Signal()
    }

    /// The body of the thread.
    func run() {
        guard waitForAttempt(), connect() else { return }
        pool.begin(self)
        while let call = nextCall() { call.run() }
        closeConnection()
        pool.remove(self)
    }

    private func closeConnection() {
        connection?.close()
        connection = nil
    }

    /// Waits after a failed attempt. Returns `false` if the pool needs no connection any more.
    private func waitForAttempt() -> Bool {
        while let time = pool.nextAttempt(of: self) {
            if time <= .now { return true }
            _ = signal.wait(until: time)
        }
        return false
    }

    /// Opens the connection. Returns `false` if that has failed.
    private func connect() -> Bool {
        let configuration = pool.configuration
        let connection: PostgreSQLConnection
        do {
            connection = try PostgreSQLConnection(
                configuration,
                hostOffset: pool.hostOffset,
                StatementMetrics(factory: pool.factory),
                signal: signal,
                interruption: { [unowned self] in pool.interruption(of: self) }
            )
        } catch {
            pool.fail(self, .lossReason(error))
            return false
        }
        do {
            try connection.open()
        } catch {
            let isTimeout = connection.deadline <= .now
            let reason =
                isTimeout ? "the server at \(connection.hostDescription) does not respond" : .lossReason(error)
            let rejection = connection.rejection
            connection.close()
            pool.fail(self, reason, rejection: rejection, isTimeout: isTimeout)
            return false
        }
        self.connection = connection
        expiry = .now + configuration.maximumLifetime * .random(in: 0.9...1)
        return true
    }

    /// Waits for a call. Returns `nil` if the connection must be closed: it is lost or too old, or the pool does not need it any more.
    private func nextCall() -> Call? {
        while let connection {
            switch pool.work(of: self) {
            case .execute(let call): return call
            case .end: return nil
            case .wait: break
            }
            // An idle connection receives nothing, unless the server closes it or reports that a setting has changed.
            if signal.wait(for: connection.socket, until: expiry).isReady || expiry <= .now { return nil }
        }
        return nil
    }

    /// Calls `body` with the connection. When this returns, the thread is ready for the next call, or the connection is closed.
    func execute<Value>(
        until deadline: ContinuousClock.Instant,
        _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        guard let connection else { throw PostgreSQLError.poolIsClosed }
        connection.deadline = deadline
        defer {
            let isReusable = connection.isReusable && expiry > .now
            if !isReusable { closeConnection() }
            pool.end(self, isReusable: isReusable)
        }
        do {
            return try body(connection)
        } catch let error where error is PostgreSQLError || error is SQLValueError || error is CancellationError {
            connection.metrics.count(error)
            throw error
        }
    }
}
