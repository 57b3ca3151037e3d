public import Accounts
package import AccountsDatabase
public import BundledControllers
internal import BusinessLogic
internal import GRDB
internal import RequestTracing
internal import SQLStatements

/// An SQLite file that stores accounts, failed logins, devices and products.
///
/// Its methods may be called from any number of tasks at the same time, and other processes may have the file open. No `async` method
/// blocks its thread. Reads run in parallel with each other and with a write. Writes run one at a time. When a write returns,
/// its changes are on the disk.
///
/// If the file cannot be read or written now (another process has locked it, it was moved, the disk is full, …), a call
/// throws ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)`` within a few busy timeouts. Later calls succeed once
/// the cause is gone. If its task is cancelled, a call may throw `CancellationError`. Then nothing has changed.
public final class SQLiteDatabase: Sendable {
    /// The absolute path of the file.
    package let path: String

    let pool: DatabasePool
    /// The identity of the file that was opened.
    private let file: FileIdentity?
    private let busyTimeout: Duration
    private let writeTimeout: BusyTimeout
    private let log = WriteAheadLog()
    private let health = WriteHealth(interval: .seconds(1))
    private let onError: @Sendable (any Error) -> Void

    /// Opens a database and migrates its tables. If the file does not exist, creates it so that only its owner can read it.
    /// Blocks the calling thread until the database is open.
    ///
    /// - Parameters:
    ///   - path: the file. SQLite adds two files in the same folder, whose names end in `-wal` and `-shm`.
    ///   - busyTimeout: how long a call waits while another process writes.
    ///   - onError: is called with the cause whenever a call throws
    ///     ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``, on any thread.
    /// - Throws: ``SQLiteDatabaseError``.
    public init(
        path: String,
        busyTimeout: Duration = .seconds(2),
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws(SQLiteDatabaseError) {
        self.path = DatabaseFile.absolutePath(path)
        self.busyTimeout = busyTimeout
        self.onError = onError
        writeTimeout = BusyTimeout(until: .now + busyTimeout)
        pool = try DatabaseFile.open(self.path, readTimeout: busyTimeout, writeTimeout: writeTimeout, log: log)
        file = FileIdentity(self.path)
    }

    /// Closes the file after the current calls. Blocks the calling thread until then. Later calls throw
    /// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``. Without this call, the file is closed when the database is
    /// released.
    ///
    /// If no other process has the file open, it then contains everything, and SQLite deletes its files `-wal` and `-shm`.
    public func close() {
        closeReaders()
        // This fails only while a statement is in use, which cannot be the case here.
        try? pool.close()
    }

    deinit {
        closeReaders()
    }

    /// Closes the connections that only read. The last connection to the file must be the one that writes, because SQLite then copies
    /// the `-wal` to it.
    private func closeReaders() {
        pool.invalidateReadOnlyConnections()
    }

    // The attribute prevents specialisation of the next methods. With cross-module optimisation, Swift 6.3.1 crashes when
    // it reads specialised code of GRDB for one of our types.

    /// Reads a consistent snapshot of the database.
    @_semantics("optimize.sil.specialize.generic.never")
    func read<Value: Sendable>(
        of part: DatabasePart = .accounts,
        _ body: @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await reportingErrors(of: part) {
            try requireFile()
            return try await pool.read(body)
        }
    }

    /// Writes in one transaction.
    @_semantics("optimize.sil.specialize.generic.never")
    func write<Value: Sendable>(
        of part: DatabasePart = .accounts,
        _ body: @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await reportingFailures(of: part) { try await transaction(body) }
    }

    /// Replaces everything in the database, in one transaction. Does not wait until the disk contains it: if the machine fails soon after, the
    /// file may be damaged.
    func replaceContents(by contents: SQLiteContents) async throws {
        try await reportingFailures(of: .accounts) {
            try await withWriter { db in
                // Each of five waits takes milliseconds.
                try db.execute(sql: "PRAGMA synchronous = OFF")
                defer { try? db.execute(sql: "PRAGMA synchronous = FULL") }
                try contents.restore(in: db)
                // SQLite does not count the pages of a copy as changes. Its failure is not an error, because the pages are in the `-wal`.
                try? log.checkpoint(db)
            }
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private func transaction<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        try await withWriter { db in
            var value: Value?
            try db.inTransaction(.immediate) {
                value = try body(db)
                return .commit
            }
            guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            return value
        }
    }

    /// Runs `body` with the connection that writes.
    @_semantics("optimize.sil.specialize.generic.never")
    func withWriter<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        // The deadline includes the wait in the queue, so that the timeouts of queued calls do not add up.
        let deadline = ContinuousClock.now + busyTimeout
        return try await pool.writeWithoutTransaction { db in
            writeTimeout.setDeadline(deadline)
            try requireFile()
            let value = try body(db)
            try requireFile()
            log.checkpointIfLong(db)
            return value
        }
    }

    /// Runs `body`, which writes. If the database cannot be written, starts to try again.
    private func reportingFailures<Value: Sendable>(
        of part: DatabasePart,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await reportingErrors(of: part) {
            do {
                return try await body()
            } catch let error where error.preventsWriting {
                health.recordFailure { [weak self] in await self?.canWrite() ?? true }
                throw error
            }
        }
    }

    /// Whether the database can be written. False while its sessions cannot be stored, because the disk is full or the file was moved.
    var isAvailable: Bool { health.isAvailable }

    /// Whether more than an event's changes can be written. They leave nothing behind.
    private func canWrite() async -> Bool {
        let key = String(repeating: "x", count: 1 << 16)
        let attempt: Void? = try? await transaction { db in
            try db.execute(sql: "INSERT INTO throttle (key, failures) VALUES (?, 0)", arguments: [key])
            try db.execute(sql: "DELETE FROM throttle WHERE key = ?", arguments: [key])
        }
        return attempt != nil
    }

    /// Throws if the open file is no longer at the path. SQLite would continue to use a deleted file, whose contents are lost
    /// when the process ends.
    private func requireFile() throws(SQLiteDatabaseError) {
        guard let file, file == FileIdentity(path) else { throw .gone(path: path) }
    }

    /// Runs `body`. Passes SQLite's errors to `onError`, and throws `unavailable` instead.
    private func reportingErrors<Value: Sendable>(
        of part: DatabasePart,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await RequestTrace.measure(.database, part.rawValue, body)
        } catch let error where error is DatabaseError || error is SQLiteDatabaseError {
            onError(error)
            throw CollaboratorError.unavailable(retryAfter: .seconds(1), part: part.rawValue)
        }
    }
}

extension SQLiteDatabase: SQLDatabase {
    package static var reportsConflicts: Bool { false }

    package static var keepsEmptyCounts: Bool { false }

    package func read<Value: Sendable>(
        of part: DatabasePart,
        _ transaction: SQLTransaction<[SQLiteRow], Value>
    ) async throws -> Value {
        try await read(of: part) { try $0.run(transaction) }
    }

    package func write<Value: Sendable>(
        of part: DatabasePart,
        timeout: Duration?,
        key: String?,
        isRepeatable: Bool,
        _ transaction: SQLTransaction<[SQLiteRow], Value>
    ) async throws -> Value {
        try await write(of: part) { try $0.run(transaction) }
    }
}

extension SQLiteDatabase: DeviceStore, ThrottleStore {
    /// A repository of the products in the database, for the bundled pages.
    public var products: any Repository { DatabaseProducts(self) }

    /// Adds all of the products, or none. A product replaces an existing one with the same name.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    public func addProducts(_ products: [Product]) async throws { try await insert(products) }
}

extension Error {
    /// Whether no other write can succeed either: neither another process nor the written rows are the cause.
    fileprivate var preventsWriting: Bool {
        guard let error = self as? DatabaseError else { return self is SQLiteDatabaseError }
        let others: [ResultCode] = [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_CONSTRAINT, .SQLITE_INTERRUPT, .SQLITE_ABORT]
        return !others.contains(error.resultCode)
    }
}
