internal import CPostgreSQL
internal import SQLStatements

/// One connection to the server in libpq's pipeline mode. Only the client's thread uses it.
final class Connection {
    /// What ``receive(onCompletion:)`` or ``continueConnecting()`` leaves to do.
    enum Progress {
        /// The server must send more, or receive more.
        case waiting
        /// The exchange is complete, or the connection is open.
        case complete
        /// The connection is unusable.
        case lost(reason: String)
    }

    /// A command that was sent, whose results arrive in the same order.
    enum Command {
        /// The preparation of a step's statement.
        case prepare(step: Int)
        /// The execution of a step.
        case execute(step: Int)
        /// A setting for the exchange.
        case setting
    }

    let number: Int
    /// Until when an attempt to connect may last.
    let connectDeadline: ContinuousClock.Instant
    /// When the connection is replaced.
    let expiry: ContinuousClock.Instant
    let poller: SocketPoller
    /// The connection of libpq.
    let pointer: OpaquePointer
    /// The socket that the poller watches; -1 for none.
    var socket: Int32 = -1
    /// Whether the poller also reports when the socket is writable.
    var watchesWriting = false

    /// Whether the server has accepted the connection.
    var isOpen = false
    /// Whether the connection's settings are made, so that it can execute calls.
    var isReady = false
    /// Whether the connection must be closed after its exchange.
    var mustClose = false
    /// What is being executed.
    var exchange: Exchange?
    /// The transaction that has reserved the connection.
    var transaction: OpenTransaction?
    /// The commands of the exchange, and how many of them are complete.
    var commands: [Command] = []
    var completedCommands = 0
    /// When the exchange was sent.
    var sentAt = ContinuousClock.now
    /// Whether a statement is prepared, by its number.
    private var prepared: [Bool] = []

    /// Begins to connect. This blocks while libpq resolves the host's name.
    ///
    /// - Returns: `nil` if there is no memory.
    init?(
        number: Int,
        parameters: [(name: String, value: String)],
        poller: SocketPoller,
        connectDeadline: ContinuousClock.Instant,
        expiry: ContinuousClock.Instant
    ) {
        self.number = number
        self.poller = poller
        self.connectDeadline = connectDeadline
        self.expiry = expiry
        let names = parameters.map { strings($0.name) }
        let values = parameters.map { strings($0.value) }
        defer { for string in names + values { string.deallocate() } }
        guard
            let pointer = PQconnectStartParams(
                names.map { UnsafePointer($0) } + [nil],
                values.map { UnsafePointer($0) } + [nil],
                0
            )
        else { return nil }
        self.pointer = pointer
        // Until the connection is open: only these messages contain the SQLSTATE with which the server rejects a connection.
        PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        // Without it, libpq prints notices on standard error.
        PQsetNoticeReceiver(pointer, { _, _ in }, nil)
    }

    /// Closes the connection. The server rolls back what is not committed.
    func close() {
        stopWatching()
        PQfinish(pointer)
    }

    /// The SQLSTATE with which the server has rejected the connection; `nil` if it has not.
    var rejection: String? {
        isOpen ? nil : text.matches(of: #/:  ([0-9A-Z]{5}): /#).last.map { String($0.output.1) }
    }

    private var text: String { PQerrorMessage(pointer).map { String(cString: $0) } ?? "" }

    /// libpq's last message, on one line. It never contains the password.
    var message: String {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }
            // Where the message is in the source of PostgreSQL.
            .filter { $0.wholeMatch(of: #/[^:]+:  [^,]+, [a-zA-Z_./]+:[0-9]+/#) == nil }
        return lines.isEmpty ? "the connection was closed" : lines.joined(separator: "; ")
    }

    /// The host that libpq uses, and its port.
    var hostDescription: String {
        let host = PQhost(pointer).map { String(cString: $0) } ?? ""
        let port = PQport(pointer).map { String(cString: $0) } ?? ""
        return "\(host):\(port)"
    }

    /// Whether no transaction is open, so that another call can use the connection.
    var isReusable: Bool { PQtransactionStatus(pointer) == PQTRANS_IDLE }

    /// Whether a statement is prepared, or its preparation was sent.
    func isPrepared(_ statement: SQLStatement) -> Bool {
        statement.number < prepared.count && prepared[statement.number]
    }

    /// Records that a preparation was sent, or that it has failed.
    func setPrepared(_ statement: SQLStatement, _ isPrepared: Bool) {
        while prepared.count <= statement.number { prepared.append(false) }
        prepared[statement.number] = isPrepared
    }
}

/// Returns a copy as in C, which the caller deallocates.
private func strings(_ text: String) -> UnsafeMutablePointer<CChar> {
    let utf8 = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: utf8.count)
    utf8.withUnsafeBufferPointer { source in
        if let base = source.baseAddress { copy.initialize(from: base, count: source.count) }
    }
    return copy
}
