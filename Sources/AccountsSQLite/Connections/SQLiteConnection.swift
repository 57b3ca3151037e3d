package import AccountsDatabase
import BusinessLogic
import CSQLite
import Glibc

/// A connection to a database, which is closed when this is released. Only one thread at a time may use it, which waits for the disk and
/// for other processes. ``SQLitePool`` shares connections between tasks.
///
/// Foreign keys are enforced.
package final class SQLiteConnection {
    package enum Access {
        case readWrite
        case readOnly
        /// Reads a file that no process changes: without its `-wal`, and without locks.
        case immutable
    }

    /// When a statement stops waiting for another connection to unlock the database.
    package var busyDeadline: ContinuousClock.Instant
    /// Whether transactions end with the task in which they run.
    var isCancellable = false
    /// Whether the `-wal` stays if this is the last connection to be closed. Otherwise, SQLite copies it to the database file and deletes it.
    var keepsLog = false {
        didSet { CSQLite_keep_log(handle, keepsLog ? 1 : 0) }
    }
    private var transaction = TransactionPhase.none
    private var statements: [String: Statement] = [:]
    private let handle: OpaquePointer

    /// Opens an existing file, which SQLite reads only with the first statement. The path is absolute, because SQLite gives some others a
    /// special meaning.
    package init(
        _ path: String,
        _ access: Access = .readWrite,
        busyDeadline: ContinuousClock.Instant = .now
    ) throws(SQLiteError) {
        handle = try Self.open(path, access)
        self.busyDeadline = busyDeadline
        CSQLite_configure(handle)
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_busy_handler(handle, { context, _ in connection(context).waitForLock() ? 1 : 0 }, context)
        // After so many of SQLite's instructions, which take less than a millisecond.
        sqlite3_progress_handler(handle, 1000, { connection($0).isTransactionCancelled ? 1 : 0 }, context)
    }

    /// Creates a database in memory, which exists as long as the connection.
    package static func inMemory() throws(SQLiteError) -> SQLiteConnection { try SQLiteConnection(":memory:") }

    deinit {
        sqlite3_busy_handler(handle, nil, nil)
        sqlite3_progress_handler(handle, 0, nil, nil)
        // The connection stays open as long as it has statements.
        statements = [:]
        sqlite3_close_v2(handle)
    }

    private static func open(_ path: String, _ access: Access) throws(SQLiteError) -> OpaquePointer {
        let (name, flags) =
            switch access {
            case .readWrite: (path, SQLITE_OPEN_READWRITE)
            case .readOnly: (path, SQLITE_OPEN_READONLY)
            case .immutable:
                (
                    "file://\(path.percentEncoded { $0.isUnreservedInURI || $0 == UInt8(ascii: "/") })?immutable=1",
                    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                )
            }
        var handle: OpaquePointer?
        guard sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK, let handle else {
            defer { sqlite3_close(handle) }
            throw SQLiteError(of: handle)
        }
        return handle
    }

    // MARK: Statements

    /// Executes any number of statements, and ignores their rows. If one fails, those before it have been executed.
    package func execute(_ sql: String) throws {
        try requireTransaction()
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw SQLiteError(of: handle, sql: sql) }
    }

    /// Executes one statement with a value for each of `?1`, `?2`, …, and returns its rows. It is compiled once for each connection. Throws
    /// `CancellationError` in a transaction whose task is cancelled.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
        try requireTransaction()
        let statement = try statements[sql] ?? Statement(sql, on: handle)
        statements[sql] = statement
        return try statement.rows(values)
    }

    @discardableResult
    package func run(_ sql: String, _ values: any SQLParameter...) throws -> [SQLRow] {
        try run(sql, values.map(\.sqlValue))
    }

    /// How many rows this connection has inserted, updated or deleted.
    package var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

    /// Replaces the contents of another database by those of this one, in one transaction.
    package func backup(to destination: SQLiteConnection) throws(SQLiteError) {
        guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
            throw SQLiteError(of: destination.handle)
        }
        defer { sqlite3_backup_finish(backup) }
        let code = sqlite3_backup_step(backup, -1)
        guard code == SQLITE_DONE else { throw SQLiteError(number: code, String(cString: sqlite3_errstr(code))) }
    }

    // MARK: Transactions

    package enum Transaction: String {
        /// Takes no lock before its first statement.
        case deferred = "BEGIN DEFERRED"
        /// Waits for other connections that write.
        case immediate = "BEGIN IMMEDIATE"
    }

    private enum TransactionPhase {
        case none
        case beginning
        case open
    }

    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Calls `body` in a transaction, and commits it when `body` returns. If anything fails, the transaction is rolled back and the error is
    /// thrown; `CancellationError` if the connection belongs to a ``SQLitePool`` and the task is cancelled.
    package func inTransaction<Value>(_ kind: Transaction, _ body: () throws -> Value) throws -> Value {
        do {
            defer { transaction = .none }
            transaction = .beginning
            try run(kind.rawValue)
            transaction = .open
            let value = try body()
            try requireTransaction()
            // What follows cannot be cancelled.
            transaction = .none
            try run("COMMIT")
            return value
        } catch {
            // SQLite itself has rolled back after some errors.
            if isInTransaction { _ = try? run("ROLLBACK") }
            if isCancelled, [.busy, .interrupt].contains((error as? SQLiteError)?.code) { throw CancellationError() }
            throw error
        }
    }

    /// Throws if a transaction was cancelled, or SQLite has rolled it back after an error that `body` has ignored.
    private func requireTransaction() throws {
        if isTransactionCancelled { throw CancellationError() }
        guard transaction != .open || isInTransaction else {
            throw SQLiteError(.abort, "the transaction was rolled back after an error")
        }
    }

    private var isCancelled: Bool { isCancellable && Task.isCancelled }

    fileprivate var isTransactionCancelled: Bool { transaction != .none && isCancelled }

    /// Waits for 2 ms, unless the deadline has passed or the transaction is cancelled.
    fileprivate func waitForLock() -> Bool {
        guard !isTransactionCancelled, ContinuousClock.now < busyDeadline else { return false }
        usleep(2000)
        return true
    }
}

/// The connection that SQLite passes to a function.
private func connection(_ context: UnsafeMutableRawPointer?) -> SQLiteConnection {
    guard let context else { preconditionFailure("SQLite has called a function without its context") }
    return Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
}

extension SQLiteConnection: SQLConnection {
    package func batch(_ steps: [SQLStep]) throws -> [[SQLRow]] { try steps.map { try run($0) } }

    @discardableResult
    func run(_ step: SQLStep) throws -> [SQLRow] {
        let sql = step.statement.text.sqlite
        return sql.isEmpty ? [] : try run(sql, step.parameters)
    }

    /// The first column of the first row that a statement returns, as an integer; `nil` if there is no row, or the column is null.
    func integer(_ sql: String) throws -> Int64? { try run(sql).first?.optionalInteger(0) }

    /// The first column of all rows that a statement returns, as texts.
    func texts(_ sql: String) throws -> [String] { try run(sql).map { try $0.text(0) } }

    func tables() throws -> [String] { try texts("SELECT name FROM sqlite_master WHERE type = 'table'") }
}
