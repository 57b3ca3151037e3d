internal import Dispatch
internal import Synchronization
internal import ThreadExecutors

/// Connections to one database in WAL mode: one that writes, and some that read at the same time, which are opened when calls need them. A
/// database in memory has only one, which also reads.
///
/// No `async` method blocks its thread.
package final class SQLitePool: Sendable {
    private let writer: SQLiteQueue
    private let readers: SQLiteQueue

    /// - Parameters:
    ///   - writer: an open connection, which nothing else uses.
    ///   - maximumReaders: how many calls can read at the same time. Others wait, in their order.
    ///   - openReader: opens a connection that only reads, on a thread that may wait for the disk.
    package init(
        writer: sending SQLiteConnection,
        maximumReaders: Int = 5,
        openReader: @escaping @Sendable () throws -> sending SQLiteConnection
    ) {
        self.writer = SQLiteQueue(writer)
        readers = SQLiteQueue(maximum: maximumReaders, opening: openReader)
    }

    /// A pool whose calls run one at a time.
    ///
    /// - Parameter connection: an open connection, which nothing else uses.
    package init(_ connection: sending SQLiteConnection) {
        writer = SQLiteQueue(connection)
        readers = writer
    }

    deinit {
        // Otherwise, the threads would live on.
        for queue in [readers, writer] { queue.end() }
    }

    /// Closes all connections after the current calls. Blocks the calling thread until then. Later calls throw
    /// ``SQLiteError/Code/misuse``.
    package func close() {
        for queue in [readers, writer] { queue.close() }
    }

    /// Reads a consistent snapshot of the database.
    ///
    /// - Parameter deadline: when the call stops waiting for other connections to unlock the database.
    /// - Throws: ``SQLiteError``; the errors of `body`. `CancellationError` if the task is cancelled.
    package func read<Value: Sendable>(
        deadline: ContinuousClock.Instant,
        _ body: @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try await readers.run { connection in
            connection.busyDeadline = deadline
            return try connection.inTransaction(.deferred) { try body(connection) }
        }
    }

    /// Calls `body` with the connection that writes, without a transaction.
    ///
    /// - Parameter deadline: when the call stops waiting for other connections to unlock the database.
    /// - Throws: ``SQLiteError``; the errors of `body`. `CancellationError` if the task is cancelled before `body` begins or in a transaction.
    package func write<Value: Sendable>(
        deadline: ContinuousClock.Instant,
        _ body: @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try await writer.run { connection in
            connection.busyDeadline = deadline
            return try body(connection)
        }
    }
}

/// A call that waits for a thread of a queue.
private final class QueueCall: ThreadCall, @unchecked Sendable {
    // Sendable because only what submits the call, and then its thread, use what is not constant.

    private let queue: SQLiteQueue
    /// Why no thread executes the call.
    var failure: SQLiteError?
    var job: UnownedJob?

    init(_ queue: SQLiteQueue) {
        self.queue = queue
    }

    func submit() { queue.submit(self) }
}

/// Connections to one database that any number of tasks share. They are opened when calls need them.
///
/// Calls begin in their order, each on a thread of the queue, which may wait for the disk. A transaction ends with the task in which it runs. The
/// threads retain the queue until ``end()``.
final class SQLiteQueue: Sendable {
    /// A connection that no call uses.
    private struct IdleConnection: @unchecked Sendable {
        // Sendable because only the call that takes it uses it.
        let connection: SQLiteConnection

        init(_ connection: SQLiteConnection) {
            self.connection = connection
            connection.isCancellable = true
        }
    }

    private struct State {
        /// The one that was used last is the first to be used again, so that no more than necessary are open.
        var idle: [IdleConnection] = []
        /// The calls that wait, the oldest first.
        var waiting: [QueueCall] = []
        /// How many threads there are, and how many of them execute a call.
        var count = 0
        var busy = 0
        var isClosed = false
    }

    private let maximum: Int
    private let open: @Sendable () throws -> sending SQLiteConnection
    private let state = Mutex(State())
    /// Signalled once for each waiting call, and once for each thread at the end.
    private let signals = DispatchSemaphore(value: 0)
    /// The threads.
    private let threads = DispatchGroup()

    private static var closed: SQLiteError { SQLiteError(.misuse, "the database is closed") }

    /// - Parameters:
    ///   - maximum: how many calls can run at the same time.
    ///   - open: opens a connection for a call that finds none, on the thread of the call. If it fails, the call throws its error.
    init(maximum: Int, opening open: @escaping @Sendable () throws -> sending SQLiteConnection) {
        self.maximum = maximum
        self.open = open
    }

    /// A queue whose calls run one at a time.
    ///
    /// - Parameter connection: an open connection, which nothing else uses.
    convenience init(_ connection: sending SQLiteConnection) {
        self.init(maximum: 1) { throw Self.closed }
        let connection = IdleConnection(connection)
        state.withLock { $0.idle = [connection] }
    }

    /// Calls `body` with a connection, which no other call uses meanwhile.
    ///
    /// - Throws: the errors of `body`. `CancellationError` if the task was cancelled before. ``SQLiteError/Code/misuse`` after ``close()``.
    func run<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        let call = QueueCall(self)
        return try await call.execute {
            if let failure = call.failure { throw failure }
            // When this returns, the connection and the thread are ready for the next call.
            defer { state.withLock { $0.busy -= 1 } }
            try Task.checkCancellation()
            let idle = try state.withLock { $0.idle.popLast() } ?? IdleConnection(open())
            defer { state.withLock { $0.idle.append(idle) } }
            return try body(idle.connection)
        }
    }

    /// Lets a call wait for a thread. Starts a thread if all are busy.
    fileprivate func submit(_ call: QueueCall) {
        let failure: SQLiteError? = state.withLock { state in
            if state.isClosed { return Self.closed }
            if state.busy + state.waiting.count >= state.count, state.count < maximum {
                threads.enter()
                if let reason = DetachedThread.start("SQLite", { self.work() }) {
                    threads.leave()
                    // If there is another thread, that one executes the call.
                    if state.count == 0 { return SQLiteError(.cannotOpen, "cannot start a thread: \(reason)") }
                } else {
                    state.count += 1
                }
            }
            state.waiting.append(call)
            return nil
        }
        guard let failure else {
            signals.signal()
            return
        }
        call.failure = failure
        // Not on this thread, which may be that of the task.
        Task.detached { call.run() }
    }

    /// Closes the connections after the submitted calls. Blocks the calling thread until then.
    func close() {
        endThreads()
        threads.wait()
        closeIdle()
    }

    /// Closes the connections that no call uses, and ends the threads.
    func end() {
        endThreads()
        closeIdle()
    }

    private func endThreads() {
        let count = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed ? 0 : state.count
        }
        for _ in 0..<count { signals.signal() }
    }

    private func closeIdle() {
        // Not while the lock is held, because it takes as long as the disk.
        _ = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
    }

    // MARK: On the threads

    private func work() {
        while let call = next() { call.run() }
        threads.leave()
    }

    /// Waits for a call. Returns `nil` if the thread must end.
    private func next() -> QueueCall? {
        signals.wait()
        return state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            state.busy += 1
            return state.waiting.removeFirst()
        }
    }
}
