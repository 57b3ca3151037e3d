internal import Dispatch
internal import Synchronization
internal import ThreadExecutors

/// A call that waits for a thread of a queue.
private final class QueueCall: ThreadCall, @unchecked Sendable {
    // Sendable because only what submits the call, and then its thread, use what is not constant.

    private let queue: SQLiteQueue
    /// Why no thread executes the call.
    var failure: SQLiteError?
    var job: UnownedJob?

    /// - Throws: ``SQLiteError/Code/misuse`` if the queue is closed.
    init(_ queue: SQLiteQueue) throws {
        self.queue = queue
        try queue.accept()
    }

    func submit() { queue.submit(self) }

    func execute<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await execute { try queue.execute(self, body) }
    }
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
    /// The calls that have been accepted and have not ended.
    private let calls = DispatchGroup()

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
        connection.isCancellable = true
        add(IdleConnection(connection: connection))
    }

    /// Calls `body` with a connection, which no other call uses meanwhile.
    ///
    /// - Throws: the errors of `body`. `CancellationError` if the task was cancelled before. ``SQLiteError/Code/misuse`` after ``close()``.
    func run<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await QueueCall(self).execute(body)
    }

    private func add(_ idle: IdleConnection) { state.withLock { $0.idle.append(idle) } }

    /// Makes ``close()`` wait until a call was executed.
    fileprivate func accept() throws {
        try state.withLock { state in
            guard !state.isClosed else { throw Self.closed }
            calls.enter()
        }
    }

    /// Lets a call wait for a thread. Starts a thread if all are busy.
    fileprivate func submit(_ call: QueueCall) {
        let failure = state.withLock { state in
            if state.busy + state.waiting.count >= state.count, state.count < maximum {
                let failure = DetachedThread.start("SQLite") { self.work() }
                // If there is another thread, that one executes the call.
                if let failure, state.count == 0 { return failure as Optional }
                if failure == nil { state.count += 1 }
            }
            state.waiting.append(call)
            return nil
        }
        guard let failure else {
            signals.signal()
            return
        }
        call.failure = SQLiteError(.cannotOpen, "cannot start a thread: \(failure)")
        // Not on this thread, which may be that of the task.
        Task.detached { call.run() }
    }

    /// Closes the connections after the accepted calls. Blocks the calling thread until then.
    func close() {
        state.withLock { $0.isClosed = true }
        calls.wait()
        end()
    }

    /// Closes the connections that no call uses, and ends the threads.
    func end() {
        let (count, connections) = state.withLock { state in
            defer { state = State(isClosed: true) }
            return (state.count, state.idle)
        }
        for _ in 0..<count { signals.signal() }
        _ = connections
    }

    // MARK: On the threads

    private func work() {
        while let call = next() { call.run() }
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

    /// Calls `body` with a connection. When this returns, the connection and the thread are ready for the next call.
    fileprivate func execute<Value>(_ call: QueueCall, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
        defer { calls.leave() }
        if let failure = call.failure { throw failure }
        defer { state.withLock { $0.busy -= 1 } }
        try Task.checkCancellation()
        let idle = try takeConnection()
        defer { add(idle) }
        return try body(idle.connection)
    }

    private func takeConnection() throws -> IdleConnection {
        if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        let connection = try open()
        connection.isCancellable = true
        return IdleConnection(connection: connection)
    }
}
