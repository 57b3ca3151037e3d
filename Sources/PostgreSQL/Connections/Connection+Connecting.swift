internal import CPostgreSQL

extension Connection {
    /// Watches the socket for the first time.
    func startConnecting() -> Progress {
        guard PQstatus(pointer) != CONNECTION_BAD else { return .lost(reason: message) }
        watch(PQsocket(pointer), forReading: false, forWriting: true)
        return .waiting
    }

    /// Continues after the socket has become ready.
    func continueConnecting() -> Progress {
        // libpq may close the socket and open another, which can have the same number.
        stopWatching()
        switch PQconnectPoll(pointer) {
        case PGRES_POLLING_READING:
            watch(PQsocket(pointer), forWriting: false)
            return .waiting
        case PGRES_POLLING_WRITING:
            watch(PQsocket(pointer), forReading: false, forWriting: true)
            return .waiting
        case PGRES_POLLING_OK:
            guard PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1 else {
                return .lost(reason: message)
            }
            PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
            isOpen = true
            watch(PQsocket(pointer), forWriting: false)
            return .complete
        default:
            return .lost(reason: message)
        }
    }

    /// Sends what libpq has buffered, and watches the socket for writing until all is sent. Returns `false` if the connection is lost.
    func flush() -> Bool {
        let pending = PQflush(pointer)
        guard pending >= 0 else { return false }
        if pending == 0 { exchange?.isSent = true }
        if (pending == 1) != watchesWriting { watch(PQsocket(pointer), forWriting: pending == 1) }
        return true
    }

    /// Makes the poller report when the socket is ready.
    func watch(_ socket: Int32, forReading: Bool = true, forWriting: Bool) {
        guard socket >= 0 else { return }
        self.socket = socket
        watchesWriting = forWriting
        poller.watch(socket, number: number, forReading: forReading, forWriting: forWriting)
    }

    /// Ends the poller's reports.
    func stopWatching() {
        guard socket >= 0 else { return }
        poller.forget(socket)
        socket = -1
        watchesWriting = false
    }
}
