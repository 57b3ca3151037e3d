import CoreMetrics

/// Calls `body` with a pool, and closes it.
func withPool<Value>(
    _ uri: String = Cluster.shared.uri,
    factory: any MetricsFactory = NOOPMetricsHandler.instance,
    _ change: (inout PostgreSQLConfiguration) -> Void = { _ in },
    _ body: (PostgreSQLPool) async throws -> Value
) async throws -> Value {
    var configuration = try PostgreSQLConfiguration.test(uri)
    change(&configuration)
    let pool = PostgreSQLPool(configuration, logger: .silent, factory: factory)
    do {
        let value = try await body(pool)
        await pool.close(deadline: .now + .seconds(10))
        return value
    } catch {
        await pool.close(deadline: .now)
        throw error
    }
}

/// Calls `body` with a pool of which one setting differs, and closes it.
func withPool<Setting, Value>(
    _ uri: String,
    _ setting: WritableKeyPath<PostgreSQLConfiguration, Setting>,
    _ value: Setting,
    _ body: (PostgreSQLPool) async throws -> Value
) async throws -> Value {
    try await withPool(uri, { $0[keyPath: setting] = value }, body)
}

extension ContinuousClock.Instant {
    /// A deadline that passes soon, for tests that wait for it.
    static var soon: ContinuousClock.Instant { .now + .seconds(1) }

    /// A deadline for a call that waits in vain, so that nothing must happen before.
    static var next: ContinuousClock.Instant { .now + .milliseconds(50) }
}

/// Returns the ``PostgreSQLError`` that a call throws.
func failure<Value>(_ call: () async throws -> Value) async throws -> PostgreSQLError {
    do {
        _ = try await call()
    } catch let error as PostgreSQLError {
        return error
    }
    throw Unexpected()
}

struct Unexpected: Error {}

extension PostgreSQLError {
    var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
    var isOutcomeUnknown: Bool { if case .outcomeUnknown = self { true } else { false } }
    var server: PostgreSQLServerError? { if case .server(let error) = self { error } else { nil } }
}

extension SQLStatement {
    /// Any SQL as a statement of its own.
    static func sql(_ sql: String, name: String = "test") -> SQLStatement { SQLStatement(name, postgreSQL: sql) }

    static let one = sql("SELECT 1", name: "one")

    /// The number of the server's process for the connection.
    static let process = sql("SELECT pg_backend_pid()", name: "process")

    /// A query that takes very long.
    static func sleep(_ name: String) -> SQLStatement { sql("SELECT pg_sleep(600)", name: name) }

    /// The number of statements that are being executed, by name.
    static let active = SQLStatement(
        "active",
        postgreSQL:
            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '/* understudy ' || $1 || ' */%'"
    )
}

extension Cluster {
    /// Creates the user who needs a password, unless it exists.
    func createGuardedUser() async throws {
        try await withPool(uri) { pool in
            let create = SQLStatement.sql("CREATE ROLE guarded LOGIN PASSWORD 's3cr:et@/'")
            do {
                try await pool.execute(create)
            } catch PostgreSQLError.server(let error) where ["42710", "23505"].contains(error.sqlState) {
                // Another test has created it.
            }
        }
    }
}

extension PostgreSQLPool {
    /// Waits until `count` statements with a name are being executed.
    func waitForStatements(_ name: String, _ count: Int64 = 1) async throws {
        try await waitUntil { try await execute(.active, .text(name))[0].integer(0) == count }
    }

    /// Executes one statement in a transaction of its own.
    @discardableResult
    func execute(
        _ statement: SQLStatement,
        _ parameters: SQLValue...,
        deadline: ContinuousClock.Instant? = nil
    ) async throws -> [SQLRow] {
        try await execute(SQLStep(statement, parameters), deadline: deadline)
    }

    /// The number that a query returns.
    func number(_ statement: SQLStatement) async throws -> Int64 { try await execute(statement)[0].integer(0) }

    /// Executes several statements in one transaction of their own.
    @discardableResult
    func batch(_ steps: [SQLStep]) async throws -> [[SQLRow]] { try await batches { try $0.batch(steps) } }
}

extension PostgreSQLTransaction {
    /// Executes a statement.
    @discardableResult
    func execute(_ statement: SQLStatement, _ parameters: SQLValue...) throws -> [SQLRow] {
        try execute(SQLStep(statement, parameters))
    }
}
