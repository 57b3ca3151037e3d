public import Accounts
package import AccountsDatabase
public import BundledControllers
internal import BusinessLogic
internal import HTTPMessages
public import SessionStorage
internal import SQLStatements
internal import SQLite

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

    let pool: SQLitePool
    /// The identity of the file that was opened.
    private let file: FileIdentity?
    /// The identities of its `-wal` and its `-shm`, by their paths.
    private let logFiles: [String: FileIdentity]
    let busyTimeout: Duration
    let log = WriteAheadLog()
    package let health = DatabaseHealth()
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
        pool = try DatabaseFile.open(self.path, busyTimeout: busyTimeout, log: log)
        file = FileIdentity(self.path)
        logFiles = DatabaseFile.logFiles(of: self.path)
    }

    /// Closes the file after the current calls. Blocks the calling thread until then. Later calls throw
    /// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``. Without this call, the file is closed when the database is
    /// released.
    ///
    /// If no other process has the file open, it then contains everything, and SQLite deletes its files `-wal` and `-shm`.
    public func close() {
        health.stop()
        pool.close()
    }

    /// Calls `body` with a connection that reads a consistent snapshot of the database.
    func withReader<Value: Sendable>(
        of part: DatabasePart = .accounts,
        _ body: @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try await reportingErrors(.read(part)) {
            try requireFile()
            return try await pool.read(deadline: .now + busyTimeout, body)
        }
    }

    /// Runs `body` with the connection that writes.
    func withWriter<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        // The deadline includes the wait in the queue, so that the timeouts of queued calls do not add up.
        try await pool.write(deadline: .now + busyTimeout) { db in
            try requireFile()
            let value = try body(db)
            try requireFile()
            log.checkpointIfLong(db)
            return value
        }
    }

    /// Throws if an open file is no longer at its path. SQLite would continue to use a deleted file, whose contents are lost
    /// when the process is killed.
    private func requireFile() throws(SQLiteDatabaseError) {
        guard let file, file == FileIdentity(path) else { throw .gone(path: path) }
        for (path, file) in logFiles where file != FileIdentity(path) {
            throw .logGone(path: self.path, log: path)
        }
    }

    /// Runs `body`, and records whether it succeeds. Passes SQLite's errors to `onError`, and throws `unavailable` instead.
    func reportingErrors<Value: Sendable>(
        _ operation: DatabaseHealth.Operation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let part = operation.part.rawValue
        do {
            let value = try await RequestTrace.measure(.database, part, body)
            health.succeed(operation)
            return value
        } catch let error where error is SQLiteError || error is SQLiteDatabaseError {
            if Self.isOutage(error) { health.fail(operation) }
            onError(error)
            throw CollaboratorError.unavailable(retryAfter: .seconds(1), part: part)
        }
    }
}

extension SQLiteDatabase: SQLDatabase {
    package static var reportsConflicts: Bool { false }

    package static var insertsReturnedRows: Bool { false }

    package static var keepsEmptyCounts: Bool { false }

    package func probe(size: Int) async throws {
        try await withWriter { db in
            // What the connection has in its memory proves nothing about the file.
            try db.execute("PRAGMA shrink_memory")
            try db.inTransaction(.immediate) { try db.probe(size: size) }
        }
    }

    package static func isOutage(_ error: any Error) -> Bool {
        guard let error = error as? SQLiteError else { return error is SQLiteDatabaseError }
        let others: [SQLiteError.Code] = [.error, .constraint, .interrupt, .abort, .tooBig, .mismatch, .range]
        return !others.contains(error.code)
    }

    package static func isConflict(_ error: any Error) -> Bool { false }

    package func report(_ error: any Error) { onError(error) }

    package func read<Value: Sendable>(
        of part: DatabasePart,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await withReader(of: part) { try body($0) }
    }

    package func write<Value: Sendable>(
        of part: DatabasePart,
        timeout: Duration?,
        key: String?,
        mode: WriteMode,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await reportingErrors(.write(part)) {
            try await withWriter { db in try db.inTransaction(.immediate) { try body(db) } }
        }
    }
}

extension SQLiteDatabase: DeviceStore, ThrottleStore {
    /// The sessions that a server has saved when it stopped, and those that servers share.
    ///
    /// - Parameter lastRevocation: returns the number of the last revocation that the server has applied to its sessions. If a later
    ///   one concerns the user of a saved session, the session is not returned.
    public func sessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore {
        DatabaseSessions(self, lastRevocation: lastRevocation)
    }

    /// A repository of the products in the database, for the bundled pages.
    public var products: any Repository { DatabaseProducts(self) }

    /// Adds all of the products, or none. A product replaces an existing one with the same name.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    public func addProducts(_ products: [Product]) async throws { try await insert(products) }
}
