public import Accounts
package import AccountsDatabase
public import BundledControllers
package import BusinessLogic
public import SessionStorage
import Synchronization

/// An SQLite file, or a database in memory, that stores accounts, failed logins, devices and products.
///
/// Its methods may be called from any number of tasks at the same time, and other processes may have the file open. No `async` method
/// blocks its thread. Reads run in parallel with each other and with a write. Writes run one at a time. When a write returns,
/// its changes are on the disk. In memory, all calls run one at a time, and the contents end with the object.
///
/// If the file cannot be read or written now (another process has locked it, it was moved, the disk is full, …), a call
/// throws ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)`` within a few busy timeouts. Later calls succeed once
/// the cause is gone. If its task is cancelled, a call may throw `CancellationError`. Then nothing has changed.
public final class SQLiteDatabase: Sendable {
    /// The absolute path of the file; `:memory:` in memory.
    package let path: String

    let pool: SQLitePool
    /// The file that was opened; `nil` in memory.
    let file: OpenFile?
    let busyTimeout: Duration
    private let ended = Atomic(0)
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
        let log = WriteAheadLog()
        pool = try DatabaseFile.open(self.path, busyTimeout: busyTimeout, log: log)
        file = OpenFile(self.path, log: log)
    }

    private init(inMemory connection: sending SQLiteConnection) {
        path = Self.memoryPath
        busyTimeout = .zero
        onError = { _ in }
        pool = SQLitePool(connection)
        file = nil
    }

    /// How SQLite calls a database in memory.
    private static let memoryPath = ":memory:"

    /// Creates an empty database in memory, for tests and demonstrations. It is always available, except after ``close()``: an error of a
    /// statement is SQLite's own.
    ///
    /// - Throws: ``SQLiteDatabaseError`` if there is not enough memory.
    public static func inMemory() throws(SQLiteDatabaseError) -> SQLiteDatabase { try inMemory(pages: []) }

    /// Creates an empty database in memory with the tables of an embedder. Throws if a migration is invalid.
    package static func inMemory(pages migrations: [SQLText]) throws(SQLiteDatabaseError) -> SQLiteDatabase {
        do {
            let connection = try SQLiteConnection.inMemory()
            try Schema.current.migrate(connection, memoryPath)
            try connection.migratePages(migrations, memoryPath)
            return SQLiteDatabase(inMemory: connection)
        } catch {
            throw DatabaseFile.reason(error, memoryPath)
        }
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
        deadline: ContinuousClock.Instant? = nil,
        _ body: @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try file?.require()
        return try await pool.read(deadline: deadline ?? .now + busyTimeout, body)
    }

    /// Runs `body` with the connection that writes.
    func withWriter<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        // The deadline includes the wait in the queue, so that the timeouts of queued calls do not add up.
        try await pool.write(deadline: .now + busyTimeout) { db in
            defer { ended.add(1, ordering: .releasing) }
            try file?.require()
            let value = try body(db)
            try file?.require()
            file?.log.checkpointIfLong(db)
            return value
        }
    }

    /// How many writes have ended, if no other object can write: in memory; `nil` for a file.
    package var writes: Int? { file == nil ? ended.load(ordering: .acquiring) : nil }
}

extension SQLiteDatabase: SQLDatabase {
    package static var reportsConflicts: Bool { false }

    package static var insertsReturnedRows: Bool { false }

    package static var publicationInterval: Duration { .milliseconds(500) }

    package static func isOutage(_ error: any Error) -> Bool {
        guard let error = error as? SQLiteError else { return error is SQLiteDatabaseError }
        let others: [SQLiteError.Code?] = [.error, .constraint, .interrupt, .abort, .tooBig, .mismatch, .range]
        return !others.contains(error.code)
    }

    package static func isConflict(_ error: any Error) -> Bool { false }

    package var reportsErrors: Bool { file != nil }

    package static func collaboratorError(for error: any Error, _ part: DatabasePart) -> CollaboratorError? {
        guard error is SQLiteError || error is SQLiteDatabaseError || error is SQLValueError else { return nil }
        return .unavailable(retryAfter: .seconds(1), part: part.rawValue)
    }

    package func report(_ error: any Error) { onError(error) }

    package func withReader<Value: Sendable>(
        deadline: ContinuousClock.Instant?,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await withReader(deadline: deadline) { (connection: SQLiteConnection) in try body(connection) }
    }

    package func withTransaction<Value: Sendable>(
        deadline: ContinuousClock.Instant?,
        key: String?,
        mode: WriteMode,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await withWriter { db in try db.inTransaction(.immediate) { try body(db) } }
    }
}

extension SQLiteDatabase: AccountStore {
    /// The sessions that a server has saved when it stopped, and those that servers share.
    ///
    /// - Parameter lastRevocation: returns the number of the last revocation that the server has applied to its sessions. If a later
    ///   one concerns the user of a saved session, the session is not returned.
    public func sessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore {
        DatabaseSessionStore(self, lastRevocation: lastRevocation)
    }

    /// A repository of the products in the database, for the bundled pages.
    public var products: any Repository { DatabaseProducts(self) }

    /// Adds all of the products, or none. A product replaces an existing one with the same name.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    public func addProducts(_ products: [Product]) async throws { try await insert(products) }
}
