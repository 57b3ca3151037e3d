internal import Synchronization

/// Connections to one database in WAL mode: one that writes, and some that read at the same time, which are opened when calls need them.
///
/// No `async` method blocks its thread.
package final class SQLitePool: Sendable {
    /// The readers that no call uses, and the calls that wait for one.
    private struct Readers {
        var idle: [SQLiteQueue]
        var waiting: [CheckedContinuation<SQLiteQueue, Never>] = []
    }

    private let writer: SQLiteQueue
    private let all: [SQLiteQueue]
    private let readers: Mutex<Readers>

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
        all = (0..<maximumReaders).map { _ in SQLiteQueue(opening: openReader) }
        readers = Mutex(Readers(idle: all))
    }

    /// Closes all connections after the current calls. Blocks the calling thread until then. Later calls throw
    /// ``SQLiteError/Code/misuse``.
    package func close() {
        for queue in all + [writer] { queue.close() }
    }

    /// Reads a consistent snapshot of the database.
    ///
    /// - Parameter deadline: when the call stops waiting for other connections to unlock the database.
    /// - Throws: ``SQLiteError``; the errors of `body`. `CancellationError` if the task is cancelled.
    package func read<Value: Sendable>(
        deadline: ContinuousClock.Instant,
        _ body: @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        let reader = await acquireReader()
        defer { release(reader) }
        return try await reader.run { connection in
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

    private func acquireReader() async -> SQLiteQueue {
        await withCheckedContinuation { call in
            let reader = readers.withLock { readers in
                // The one that was used last, so that no more than necessary are open.
                let reader = readers.idle.popLast()
                if reader == nil { readers.waiting.append(call) }
                return reader
            }
            if let reader { call.resume(returning: reader) }
        }
    }

    private func release(_ reader: SQLiteQueue) {
        let call = readers.withLock { readers in
            guard readers.waiting.isEmpty else { return readers.waiting.removeFirst() as Optional }
            readers.idle.append(reader)
            return nil
        }
        call?.resume(returning: reader)
    }
}
