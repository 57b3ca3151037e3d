import Synchronization
import ThreadExecutors

/// Connections to one database in WAL mode: one that writes, and some that read at the same time, which are opened when calls need them. A
/// database in memory has only one, which also reads.
///
/// No `async` method blocks its thread.
package final class SQLitePool: Sendable {
    private let writer: SQLiteQueue
    private let readers: SQLiteQueue

    /// At most `maximumReaders` calls read at the same time. Others wait, in their order. `openReader` opens a connection that only reads, on
    /// a thread that may wait for the disk.
    package init(
        writer: sending SQLiteConnection,
        maximumReaders: Int = 5,
        openReader: @escaping @Sendable () throws -> sending SQLiteConnection
    ) {
        self.writer = SQLiteQueue(writer)
        readers = SQLiteQueue(maximum: maximumReaders, opening: openReader)
    }

    /// A pool whose calls run one at a time.
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

    /// Reads a consistent snapshot of the database. At the deadline, the call stops waiting for other connections to unlock the database.
    package func read<Value: Sendable>(
        deadline: ContinuousClock.Instant,
        _ body: @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try await readers.run { connection in
            connection.busyDeadline = deadline
            return try connection.inTransaction(.deferred) { try body(connection) }
        }
    }

    /// Calls `body` with the connection that writes, without a transaction. Throws `CancellationError` if the task is cancelled before `body`
    /// begins or in a transaction.
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

/// Connections to one database that any number of tasks share. They are opened when calls need them.
///
/// Calls begin in their order, each on a thread that may wait for the disk. A transaction ends with the task in which it runs.
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

    private let threads: ThreadPool
    private let open: @Sendable () throws -> sending SQLiteConnection
    /// The one that was used last is the first to be used again, so that no more than necessary are open.
    private let idle = Mutex<[IdleConnection]>([])

    private static var closed: SQLiteError { SQLiteError(.misuse, "the database is closed") }

    /// `open` opens a connection for a call that finds none, on the thread of the call. If it fails, the call throws its error.
    init(maximum: Int, opening open: @escaping @Sendable () throws -> sending SQLiteConnection) {
        self.open = open
        threads = ThreadPool("SQLite", maximum: maximum)
    }

    /// A queue whose calls run one at a time.
    convenience init(_ connection: sending SQLiteConnection) {
        self.init(maximum: 1) { throw Self.closed }
        let connection = IdleConnection(connection)
        idle.withLock { $0 = [connection] }
    }

    /// Calls `body` with a connection, which no other call uses meanwhile. Throws `CancellationError` if the task was cancelled before, and
    /// ``SQLiteError/Code/misuse`` after ``close()``.
    func run<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        do {
            return try await threads.run { _ in
                try Task.checkCancellation()
                let idle = try self.idle.withLock { $0.popLast() } ?? IdleConnection(open())
                defer { self.idle.withLock { $0.append(idle) } }
                return try body(idle.connection)
            }
        } catch ThreadPool.Rejection.noThread(let reason) {
            throw SQLiteError(.cannotOpen, "cannot start a thread: \(reason)")
        } catch is ThreadPool.Rejection {
            throw Self.closed
        }
    }

    /// Closes the connections after the submitted calls. Blocks the calling thread until then.
    func close() {
        threads.close()
        threads.wait()
        closeIdle()
    }

    /// Closes the connections that no call uses, and ends the threads.
    func end() {
        threads.close()
        closeIdle()
    }

    private func closeIdle() {
        // Not while the lock is held, because it takes as long as the disk.
        _ = idle.withLock { exchange(&$0, with: []) }
    }
}
