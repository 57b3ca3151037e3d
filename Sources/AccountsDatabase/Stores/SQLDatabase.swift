package import Accounts
package import BusinessLogic
import HTTPMessages
package import SessionStorage

/// A database that executes SQL: what the stores of accounts, devices, failed logins and products need of SQLite and of PostgreSQL.
package protocol SQLDatabase: AnyObject, AccountStore {
    /// Whether constraints report with which property an account conflicts. Otherwise, the transaction itself looks for conflicts first,
    /// which is sufficient if no other transaction writes at the same time.
    static var reportsConflicts: Bool { get }
    /// Whether a statement can insert the rows that another one in it returns.
    static var insertsReturnedRows: Bool { get }

    var health: DatabaseHealth { get }

    /// Whether the cause of a database's own error can make other operations fail: the server, the disk, a lock or a right, and not the values
    /// of the operation, another transaction that has changed the same data, or the number of calls that wait.
    static func isOutage(_ error: any Error) -> Bool

    /// Whether a statement has failed because of what another transaction has changed or locked.
    static func isConflict(_ error: any Error) -> Bool

    /// Whether calls report the database's own errors, and throw others instead. In memory, there are no outages: an error is that of a
    /// statement, whose author needs the database's message.
    var reportsErrors: Bool { get }

    /// The error that a call throws instead of one of the database's own; `nil` for another error.
    static func collaboratorError(for error: any Error, _ part: DatabasePart) -> CollaboratorError?

    /// Passes an error to those who look after the database.
    func report(_ error: any Error)

    /// Calls `body` with a connection, to read. Unlike ``read(of:deadline:_:)``, reports no errors, and throws the database's own.
    func withReader<Value: Sendable>(
        deadline: ContinuousClock.Instant?,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Calls `body` with a connection in a transaction. Unlike ``write(of:deadline:key:mode:_:)``, reports no errors, and throws the
    /// database's own.
    func withTransaction<Value: Sendable>(
        deadline: ContinuousClock.Instant?,
        key: String?,
        mode: WriteMode,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// The sessions that servers have saved when they stopped, and those that servers share.
    func sessions(lastRevocation: @escaping @Sendable () -> Int) -> any SessionStore

    /// Creates the tables of an embedder, or runs the missing migrations. Their number is in a table of its own. `migrations` are all of
    /// them, in order. Their tables begin with `own_`.
    func migratePages(_ migrations: [SQLText]) async throws

    /// The time between two calls of ``publications(after:)``.
    static var publicationInterval: Duration { get }
}

extension SQLDatabase {
    /// Calls `body` with a connection, to read. Without a deadline, the database's default applies.
    package func read<Value: Sendable>(
        of part: DatabasePart,
        deadline: ContinuousClock.Instant? = nil,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await reportingErrors(.read(part)) { try await withReader(deadline: deadline, body) }
    }

    /// Calls `body` with a connection in a transaction, and commits it when `body` returns. If anything fails, the transaction is rolled
    /// back. Throws `AccountConflict` if an account has a value that must be unique.
    ///
    /// Without a deadline, the default applies; SQLite has no limit. `key` names the row that the transaction locks and many calls may wait for.
    package func write<Value: Sendable>(
        of part: DatabasePart = .accounts,
        deadline: ContinuousClock.Instant? = nil,
        key: String? = nil,
        mode: WriteMode = .repeatable,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await reportingErrors(.write(part)) {
            try await withTransaction(deadline: deadline, key: key, mode: mode, body)
        }
    }

    /// Executes statements in one transaction.
    package func write(of part: DatabasePart = .accounts, _ steps: [SQLStep]) async throws {
        try await write(of: part) { _ = try $0.batch(steps) }
    }

    /// Executes statements with the commit of the current event; in one transaction at once, if its writes are not executed in this database.
    func writeAtCommit(of part: DatabasePart = .accounts, _ steps: [SQLStep]) async throws {
        guard let work = unitOfWork else { return try await write(of: part, steps) }
        work.add { try $0.batch(steps) }
    }

    /// Executes one query, and returns what `decode` makes of its rows.
    func read<Value: Sendable>(
        _ query: SQLStep,
        of part: DatabasePart = .accounts,
        _ decode: @Sendable ([SQLRow]) throws -> Value
    ) async throws -> Value {
        try await read(of: part) { try decode($0.execute(query)) }
    }

    /// Runs `body`, and records whether it succeeds. Reports the database's own errors, and throws a ``/BusinessLogic/CollaboratorError`` instead.
    package func reportingErrors<Value>(
        _ operation: DatabaseHealth.Operation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard reportsErrors else { return try await body() }
        do {
            let value = try await RequestTrace.measure(.database, operation.part.rawValue, body)
            health.succeed(operation)
            return value
        } catch {
            guard let replacement = Self.collaboratorError(for: error, operation.part) else { throw error }
            if Self.isOutage(error) { health.fail(operation) }
            report(error)
            throw replacement
        }
    }

    /// The unit of work of the current event, if its writes are executed in this database.
    var unitOfWork: UnitOfWork? { UnitOfWork.current(in: self) }

    /// Executes the writes of a unit of work in one transaction, and then its actions. Throws ``DataHaveChanged``, and changes nothing, if a
    /// write has found other data than was read before it was added.
    package func commit(_ work: UnitOfWork) async throws {
        let writes = work.writes
        try await write { db in
            for case let write as SQLWrite in writes { try write.execute(db) }
        }
        await work.finish()
    }
}

extension UnitOfWork {
    /// Adds what the commit of the event executes.
    func add(_ write: @escaping @Sendable (any SQLConnection) throws -> Void) { add(SQLWrite(execute: write)) }
}
