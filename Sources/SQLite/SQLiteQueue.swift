internal import Dispatch

/// A connection that any number of tasks share. Their calls run one at a time, in their order, on a thread that may wait for the disk.
///
/// A transaction ends with the task in which it runs.
package actor SQLiteQueue {
    private let executor = QueueExecutor()
    private let open: @Sendable () throws -> sending SQLiteConnection
    private var connection: SQLiteConnection?
    private var isClosed = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter connection: an open connection, which nothing else uses.
    package init(_ connection: sending SQLiteConnection) {
        connection.isCancellable = true
        self.connection = connection
        open = { throw Self.closed }
    }

    /// - Parameter open: opens the connection for the first call, on the queue's thread. If it fails, for the next one.
    init(opening open: @escaping @Sendable () throws -> sending SQLiteConnection) {
        self.open = open
    }

    /// Calls `body` with the connection, after the calls before.
    ///
    /// - Throws: the errors of `body`. `CancellationError` if the task was cancelled before. ``SQLiteError/Code/misuse`` after ``close()``.
    package func run<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) throws -> Value {
        try Task.checkCancellation()
        return try body(try connected())
    }

    private func connected() throws -> SQLiteConnection {
        guard !isClosed else { throw Self.closed }
        if let connection { return connection }
        let connection = try open()
        connection.isCancellable = true
        self.connection = connection
        return connection
    }

    private static var closed: SQLiteError { SQLiteError(.misuse, "the database is closed") }

    /// Closes the connection after the calls before. Blocks the calling thread until then.
    package nonisolated func close() {
        executor.queue.sync { assumeIsolated { $0.end() } }
    }

    private func end() {
        connection = nil
        isClosed = true
    }
}

/// Runs the jobs of an actor on threads of Dispatch, which may block, unlike those of Swift.
private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "SQLite")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
