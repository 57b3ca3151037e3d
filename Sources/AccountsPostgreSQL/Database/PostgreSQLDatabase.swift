public import Accounts
package import AccountsDatabase
public import BundledControllers
public import BusinessLogic
public import Logging
public import SessionStorage

/// A PostgreSQL database that stores accounts, failed logins, devices, products and sessions.
///
/// Its methods may be called from any number of tasks at the same time, and any number of servers may share the database. No method
/// blocks its thread. When a write returns, its changes are committed.
///
/// If the server cannot be reached or does not respond before the deadline of a call, the call throws
/// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``. If too many calls wait for a connection, it throws
/// ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)``. Later calls succeed once the cause is gone. If the connection is lost
/// during a commit, the call asks the server whether the changes are committed. Only if the server does not respond to this either,
/// a call that throws may have changed the database.
///
/// If its task is cancelled, a call may throw `CancellationError`. Then nothing has changed.
public final class PostgreSQLDatabase: Sendable {
    package let pool: PostgreSQLPool
    package let health = DatabaseHealth()
    private let onError: @Sendable (any Error) -> Void

    /// A database whose tables you have migrated, or will migrate with ``migrate()``.
    ///
    /// - Parameters:
    ///   - pool: connections to the database, which other objects may use as well.
    ///   - onError: is called with the cause whenever a call throws a ``/BusinessLogic/CollaboratorError``, on any thread. The
    ///     descriptions of its errors contain no values of the database, so they may be logged.
    public init(pool: PostgreSQLPool, onError: @escaping @Sendable (any Error) -> Void = { _ in }) {
        self.pool = pool
        self.onError = onError
    }

    /// Connects to a database, and migrates its tables.
    ///
    /// - Parameters:
    ///   - configuration: the server, and the limits of the pool of connections.
    ///   - logger: receives outages and their ends.
    ///   - onError: as in ``init(pool:onError:)``.
    /// - Throws: ``PostgreSQLError`` as soon as one attempt to connect has failed; the errors of ``migrate()``.
    public static func open(
        _ configuration: PostgreSQLConfiguration,
        logger: Logger,
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) async throws -> PostgreSQLDatabase {
        let database = PostgreSQLDatabase(pool: PostgreSQLPool(configuration, logger: logger), onError: onError)
        do {
            try await database.pool.check()
            try await database.migrate()
        } catch {
            await database.close(deadline: .now)
            throw error
        }
        return database
    }

    /// Rejects new calls, waits for the accepted ones until the deadline, and closes all connections. Later calls throw
    /// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    public func close(deadline: ContinuousClock.Instant) async {
        health.stop()
        await pool.close(deadline: deadline)
    }

    /// The time of the database's server. For the time of each request, use ``DatabaseClock``.
    public var time: Timestamp {
        get async throws {
            try await read(of: .accounts) { try $0.execute(Self.selectTime())[0].time(0) }
        }
    }

    private static let selectTime = SQLStatement(
        "database time",
        postgreSQL: "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    )

    /// What the connections to this database with the same role are called, each name once, with the start of its oldest connection.
    package func connectionNames() async throws -> [(name: String, since: Timestamp)] {
        try await read(of: .accounts) { db in
            try db.execute(Self.selectConnections()).map { (try $0.text(0), try $0.time(1)) }
        }
    }

    private static let selectConnections = SQLStatement(
        "connections",
        postgreSQL: """
            SELECT application_name, (extract(epoch FROM min(backend_start)) * 1000)::bigint FROM pg_stat_activity \
            WHERE datname = current_database() AND usename = current_user \
            AND application_name IS NOT NULL GROUP BY application_name ORDER BY application_name
            """
    )

    /// The number of pages whose checksums were wrong when the server read them; 0 if it uses no checksums.
    package var checksumFailures: Int {
        get async throws {
            try await read(of: .accounts) { try $0.execute(Self.selectChecksumFailures())[0].number(0) }
        }
    }

    private static let selectChecksumFailures = SQLStatement(
        "checksum failures",
        postgreSQL: """
            SELECT coalesce(max(checksum_failures), 0) FROM pg_stat_database WHERE datname = current_database()
            """
    )
}

extension PostgreSQLDatabase: SQLDatabase {
    package static var reportsConflicts: Bool { true }

    package static var insertsReturnedRows: Bool { true }

    package static var publicationInterval: Duration { .milliseconds(50) }

    package static func isOutage(_ error: any Error) -> Bool {
        guard let error = error as? PostgreSQLError else { return false }
        switch error {
        case .unavailable, .connectionRejected, .deadlineExceeded, .outcomeUnknown: return true
        case .queueFull: return false
        case .server(let error):
            // Connections, a read-only transaction, rights, resources, locks, an operator, I/O, and damage; not the classes of values,
            // constraints, conflicts and wrong SQL.
            let classes: Set<Substring> = ["08", "25", "28", "3D", "3F", "53", "55", "57", "58", "F0", "XX"]
            return classes.contains(error.sqlState.prefix(2)) || error.sqlState == "42501"
        }
    }

    package static func isConflict(_ error: any Error) -> Bool {
        guard case PostgreSQLError.server(let error) = error else { return false }
        return error.isTransactionConflict || error.sqlState == "23505"
    }

    package var reportsErrors: Bool { true }

    package static func collaboratorError(for error: any Error, _ part: DatabasePart) -> CollaboratorError? {
        if error as? PostgreSQLError == .queueFull { return .overloaded(retryAfter: .seconds(1)) }
        guard error is PostgreSQLError || error is SQLValueError else { return nil }
        return .unavailable(retryAfter: .seconds(1), part: part.rawValue)
    }

    package func report(_ error: any Error) { onError(error) }

    package func withReader<Value: Sendable>(
        deadline: ContinuousClock.Instant?,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await pool.batches(deadline: deadline) { try body($0) }
    }

    /// Each statement sees what was committed before it. What the mode allows to execute again is executed at most three times.
    package func withTransaction<Value: Sendable>(
        deadline: ContinuousClock.Instant?,
        key: String?,
        mode: WriteMode,
        _ body: @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        var attempts = 3
        while true {
            attempts -= 1
            do {
                if mode == .recognising(isBatch: true) {
                    return try await pool.batches(deadline: deadline) { try body($0) }
                }
                return try await pool.transaction(deadline: deadline, key: key) { try body($0) }
            } catch let error as PostgreSQLError {
                if attempts > 0, mode.repeats(after: error) { continue }
                throw AccountConflict(error) ?? error
            }
        }
    }
}

extension PostgreSQLDatabase: AccountStore {
    /// The sessions that servers have saved when they stopped, and those that servers share.
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
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func addProducts(_ products: [Product]) async throws { try await insert(products) }
}

extension WriteMode {
    /// Whether the transaction is executed again after an error.
    fileprivate func repeats(after error: PostgreSQLError) -> Bool {
        switch (self, error) {
        case (.repeatable, .server(let error)): error.isTransactionConflict
        // Otherwise, nothing was committed.
        case (.recognising, .outcomeUnknown): true
        default: false
        }
    }
}

extension AccountConflict {
    /// The conflict because of which the server has rejected an account; `nil` for another error.
    fileprivate init?(_ error: PostgreSQLError) {
        guard case .server(let error) = error, error.sqlState == "23505" else { return nil }
        switch error.constraint {
        case "account_pkey", "account_email": self = .email
        case "account_name": self = .username
        case "account_user_id": self = .userID
        case "passkey_pkey": self = .passkey
        default: return nil
        }
    }
}
