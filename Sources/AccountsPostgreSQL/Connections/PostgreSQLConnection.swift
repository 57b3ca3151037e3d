import BusinessLogic
import CPostgreSQL
import Glibc
package import AccountsDatabase

/// One connection to the server in libpq's pipeline mode, which is closed when this is released: the server then rolls back what is not committed.
///
/// Its methods wait for the network.
package final class PostgreSQLConnection: SQLConnection, @unchecked Sendable {
    // Sendable because only one thread at a time uses it.

    /// When what the connection does fails.
    private(set) var deadline: ContinuousClock.Instant
    /// When the connection is replaced.
    let expiry: ContinuousClock.Instant
    /// Whether another call may use the connection.
    var isUsable = true
    /// Whether the server has not responded to a commit. It may go on with it even if the connection is closed, for instance while it waits for
    /// a standby.
    var isCommitting = false
    var metrics: StatementMetrics
    /// The statements that are prepared, or whose preparation was sent, by their numbers.
    var prepared: Set<Int> = []
    let configuration: PostgreSQLConfiguration
    /// The connection of libpq.
    let pointer: OpaquePointer
    /// Is sent when `interruption` may return something.
    let signal: Signal
    /// Returns why the call must not wait any longer.
    private var interruption: (() -> (any Error)?)?
    private var isOpen = false

    /// Begins to connect, to the host at `hostOffset` first. This blocks while libpq resolves the host's name.
    init(
        _ configuration: PostgreSQLConfiguration,
        hostOffset: Int,
        _ metrics: StatementMetrics
    ) throws(PostgreSQLError) {
        self.configuration = configuration
        deadline = .now + configuration.connectTimeout
        expiry = .now + configuration.maximumLifetime * .random(in: 0.9...1)
        self.metrics = metrics
        signal = try Signal()
        let parameters = configuration.connectionParameters(hostOffset: hostOffset)
        guard let pointer = ConnectionURI.startConnection(parameters) else {
            throw .unavailable(reason: "there is no memory for a connection")
        }
        self.pointer = pointer
        // Until the connection is open: only these messages contain the SQLSTATE with which the server rejects a connection.
        PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        // Without it, libpq prints notices on standard error.
        PQsetNoticeReceiver(pointer, { _, _ in }, nil)
    }

    deinit {
        PQfinish(pointer)
    }

    /// Waits until the server has accepted the connection, and makes its settings.
    func open() throws(PostgreSQLError) {
        do { try connect() } catch {
            if deadline <= .now { throw .unavailable(reason: "the server at \(hostDescription) does not respond") }
            let reason = String.lossReason(error)
            throw rejection.map { .connectionRejected(sqlState: $0, reason: reason) } ?? .unavailable(reason: reason)
        }
    }

    private func connect() throws {
        var status = PQstatus(pointer) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while status != PGRES_POLLING_OK {
            guard status != PGRES_POLLING_FAILED else { throw loss }
            // libpq may have closed the socket and opened another.
            try wait(status == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            status = PQconnectPoll(pointer)
        }
        guard PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1 else { throw loss }
        PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
        isOpen = true
        guard configuration.preparedStatements else { return }
        let limits = [
            configuration.statementTimeout, configuration.lockTimeout, configuration.idleTransactionTimeout,
        ]
        try execute([SQLStep(.setup, limits.map { .text($0.limit) })], .rollback)
    }

    func begin(until deadline: ContinuousClock.Instant, interruption: @escaping () -> (any Error)?) {
        self.deadline = deadline
        self.interruption = interruption
    }

    func end() {
        interruption = nil
    }

    /// Executes statements in one transaction with the isolation level `READ COMMITTED` and one round trip, waits for the server, and returns
    /// their results.
    @discardableResult
    package func batch(_ steps: [SQLStep]) throws -> [[SQLRow]] {
        for step in steps { try step.parameters.check(for: step.statement.name) }
        return steps.isEmpty ? [] : try execute(steps, .transaction)
    }

    /// Waits until the socket is ready for `events`: `POLLIN`, `POLLOUT` or both. If `isCancellable`, the wait ends when the task of the call
    /// is cancelled.
    func wait(_ events: Int32, isCancellable: Bool = true) throws {
        while true {
            let (isSent, isReady) = signal.wait(for: socket, events, until: deadline)
            if isSent, let error = interruption?(), isCancellable || !(error is CancellationError) { throw error }
            if isReady { return }
            if deadline <= .now { throw PostgreSQLError.deadlineExceeded }
        }
    }

    private var socket: Int32 { PQsocket(pointer) }

    /// Whether the server has sent something or closed the connection.
    var isReadable: Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) != 0
    }

    /// Waits until the server has responded, the connection is lost, or `isNeeded`, which is called twice a second, returns `false`.
    func awaitResponse(while isNeeded: () -> Bool) {
        while isNeeded(), PQstatus(pointer) == CONNECTION_OK, PQisBusy(pointer) == 1 {
            var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            if poll(&descriptor, 1, 500) != 0, PQconsumeInput(pointer) == 0 { return }
        }
    }

    /// Whether no transaction is open, so that another call can use the connection.
    var isReusable: Bool { isUsable && PQtransactionStatus(pointer) == PQTRANS_IDLE }

    /// That the connection is lost, with libpq's last message.
    var loss: PostgreSQLError { .unavailable(reason: message) }

    /// The SQLSTATE with which the server has rejected the connection; `nil` if it has not.
    private var rejection: String? {
        isOpen ? nil : text.matches(of: #/:  ([0-9A-Z]{5}): /#).last.map { String($0.output.1) }
    }

    private var text: String { PQerrorMessage(pointer).map { String(cString: $0) } ?? "" }

    /// libpq's last message, on one line. It never contains the password.
    private var message: String {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }
            // Where the message is in the source of PostgreSQL.
            .filter { $0.wholeMatch(of: #/[^:]+:  [^,]+, [a-zA-Z_./]+:[0-9]+/#) == nil }
        return lines.isEmpty ? "the connection was closed" : lines.joined(separator: "; ")
    }

    private var hostDescription: String {
        let host = PQhost(pointer).map { String(cString: $0) } ?? ""
        let port = PQport(pointer).map { String(cString: $0) } ?? ""
        return "\(host):\(port)"
    }
}

extension SQLStatement {
    /// Limits what the server does for a connection, also if the client is gone: it ends statements whose client has closed the
    /// connection, those that take too long or wait too long for a lock, and transactions whose next statement does not arrive.
    fileprivate static let setup = SQLStatement(
        "setup",
        postgreSQL: """
            SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
                set_config('idle_in_transaction_session_timeout', $3, false),
                set_config('client_connection_check_interval', '1000', false)
            """
    )
}

extension Duration {
    /// A limit for the server, for which 0 would be no limit: whole milliseconds, at least 1.
    var limit: String { "\(max(1, wholeMilliseconds))" }
}
