internal import CoreMetrics
internal import Logging
internal import Synchronization

/// The connections of a pool and the calls that wait for them, on the thread that does their input and output.
actor PoolDriver {
    let configuration: PostgreSQLConfiguration
    /// The figures that other threads read.
    nonisolated let statistics = Mutex(PoolStatistics())
    private nonisolated let calls = Atomic(0)
    nonisolated let thread: ClientThread
    let logger: Logger
    var metrics: StatementMetrics

    /// All connections, also those that are being opened.
    var connections: [Connection] = []
    /// The connections without a call. The pool uses the last one first, because its memory is most likely in the processor's cache.
    var idle: [Connection] = []
    var waiting = CallQueue()
    /// The transactions that have begun, by their number.
    var transactions: [Int: OpenTransaction] = [:]
    /// The keys of the transactions that have a connection.
    var busyKeys: Set<String> = []
    var backoff: ConnectionBackoff
    /// Why the last attempt to connect has failed; `nil` if it has succeeded.
    var lastFailure: String?
    /// By how many hosts the next attempt to connect moves the list of hosts.
    var hostOffset = 0
    /// When deadlines must be examined: at the earliest deadline or before.
    var nextCheck: ContinuousClock.Instant?
    var closing = Closing.no
    var buffer = ParameterBuffer()
    private var lastNumber = 0

    /// Whether the pool accepts calls.
    enum Closing {
        case no
        /// Running calls may finish until the deadline.
        case draining(until: ContinuousClock.Instant, [CheckedContinuation<Void, Never>])
        case closed
    }

    init(
        configuration: PostgreSQLConfiguration,
        logger: Logger,
        factory: any MetricsFactory
    ) throws(PostgreSQLError) {
        self.configuration = configuration
        self.logger = logger
        metrics = StatementMetrics(factory: factory)
        backoff = ConnectionBackoff(configuration)
        thread = try ClientThread()
        try thread.start(self)
    }

    isolated deinit {
        for connection in connections { connection.close() }
        thread.stop()
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor.asUnownedSerialExecutor() }

    var poller: SocketPoller { thread.poller }

    /// Returns a number that identifies a connection.
    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Returns a number that identifies a call.
    nonisolated func nextCall() -> Int { calls.wrappingAdd(1, ordering: .relaxed).newValue }

    private func updateStatistics() {
        let open = connections.count { $0.isOpen }
        statistics.withLock { statistics in
            statistics.idle = idle.count
            statistics.inUse = open - idle.count
            statistics.waiting = waiting.count
        }
    }
}

/// What the thread calls.
extension PoolDriver {
    /// Handles what sockets have reported. Is called in each iteration, also without events, and before the jobs of callers run.
    nonisolated func handle(_ events: [SocketPoller.Event]) {
        assumeIsolated { driver in
            for event in events { driver.handle(event) }
            driver.checkDeadlines()
        }
    }

    /// How many milliseconds the thread may sleep; -1 without a limit.
    nonisolated var sleepLimit: Int32 {
        assumeIsolated { driver in
            driver.updateStatistics()
            guard let nextCheck = driver.nextCheck else { return -1 }
            let (seconds, attoseconds) = (nextCheck - .now).components
            guard seconds >= 0, attoseconds >= 0 else { return 0 }
            // Rounded up, so that the deadline has passed when the thread wakes up.
            return Int32(clamping: min(seconds, 3600) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
        }
    }

    private func handle(_ event: SocketPoller.Event) {
        guard let connection = connections.first(where: { $0.number == event.number }) else { return }
        guard connection.isOpen else { return advance(connection, connection.continueConnecting()) }
        if event.isWritable, !event.isReadable, !connection.flush() {
            return lose(connection, connection.message)
        }
        if event.isReadable { receive(connection) }
    }
}
