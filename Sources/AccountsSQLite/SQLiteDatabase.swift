internal import BusinessLogic
internal import GRDB

/// Accounts, failed logins, devices and products in one SQLite file.
///
/// Safe to use from any number of tasks at once, and beside other processes that have the file open. No call blocks the
/// thread it is made on: reads run at once, beside a write; writes run one after the other. What a write has returned from
/// is on the disk.
///
/// Where the file cannot be read or written now (it is locked by another process, moved away, the disk is full, …) a
/// call throws ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``, no later than some busy timeouts after it
/// was made. A later call works again once the cause is gone. Where its task is cancelled, a call may throw
/// `CancellationError`; nothing has changed then.
public final class SQLiteDatabase: Sendable {
    /// Where the file is.
    public let path: String

    let pool: DatabasePool
    /// Which file was opened.
    private let file: FileIdentity?
    private let busyTimeout: Duration
    private let patience: BusyTimeout
    private let onError: @Sendable (any Error) -> Void

    /// Opens a database, or creates it, readable by its owner only; brings its tables up to date. Blocks the thread
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - path: the file. Beside it SQLite keeps two more, whose names end in `-wal` and `-shm`.
    ///   - busyTimeout: how long to wait for another process that writes.
    ///   - onError: is told why, each time that a call throws
    ///     ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``; on any thread.
    /// - Throws: ``SQLiteDatabaseError``.
    public init(
        path: String,
        busyTimeout: Duration = .seconds(5),
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws(SQLiteDatabaseError) {
        self.path = DatabaseFile.absolute(path)
        self.busyTimeout = busyTimeout
        self.onError = onError
        patience = BusyTimeout(until: .now + busyTimeout)
        pool = try DatabaseFile.open(self.path, busyTimeout: busyTimeout, patience: patience)
        file = FileIdentity(self.path)
    }

    /// Closes the file once the calls under way have ended; later ones throw
    /// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``. Blocks the thread meanwhile. Without it, the file
    /// is closed when nobody refers to the database any more.
    public func close() {
        // It fails only while a statement is in use, and none is then.
        try? pool.close()
    }

    // Neither of the two is specialised: the compiler (6.3.1) crashes when it optimises across modules, and reads back what
    // it has made of GRDB's own code for one of our types.

    /// Reads, all from one state of the database.
    @_semantics("optimize.sil.specialize.generic.never")
    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        try await reportingErrors {
            try requireFile()
            return try await pool.read(body)
        }
    }

    /// Writes, all or nothing.
    @_semantics("optimize.sil.specialize.generic.never")
    func write<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        // Counted from here, so that a call does not wait once more for each one before it.
        let deadline = ContinuousClock.now + busyTimeout
        return try await reportingErrors {
            try await pool.writeWithoutTransaction { db in
                patience.last(until: deadline)
                try requireFile()
                var value: Value?
                try db.inTransaction(.immediate) {
                    value = try body(db)
                    return .commit
                }
                guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                try requireFile()
                return value
            }
        }
    }

    /// Makes sure that the open file is still the one at the path. SQLite would go on with one that is deleted, and what is
    /// written to it would be gone when the process ends.
    private func requireFile() throws(SQLiteDatabaseError) {
        guard let file, file == FileIdentity(path) else { throw .gone(path: path) }
    }

    /// What `body` returns, its errors of SQLite told to the server's log and turned into what a caller knows.
    private func reportingErrors<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error where error is DatabaseError || error is SQLiteDatabaseError {
            onError(error)
            throw CollaboratorError.unavailable(retryAfter: .seconds(1))
        }
    }
}
