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
