import Synchronization

/// An empty schema in the shared cluster, which works like a database of its own.
struct TestSchema {
    let name: String
    /// The URI of connections that use the schema.
    let uri: String
    /// A pool of two connections to the schema, as if from another program.
    let other: PostgreSQLPool

    static let count = Atomic(0)

    /// Calls `body` with a new schema, and drops it.
    static func with(_ body: (TestSchema) async throws -> Void) async throws {
        let schema = try TestSchema()
        try await schema.execute("CREATE SCHEMA \(schema.name)")
        do {
            try await body(schema)
            try await schema.drop()
        } catch {
            try? await schema.drop()
            throw error
        }
    }

    /// Calls `body` with a new schema and a database in it.
    static func withDatabase(_ body: (TestSchema, PostgreSQLDatabase) async throws -> Void) async throws {
        try await with { schema in
            try await AccountsPostgreSQLTests.withDatabase(schema.uri) { try await body(schema, $0) }
        }
    }

    private init() throws {
        name = "stores_\(Self.count.wrappingAdd(1, ordering: .relaxed).newValue)"
        uri = Self.uri(port: Cluster.shared.port, schema: name)
        other = PostgreSQLPool(try .test(uri, connections: 2), logger: .silent)
    }

    func drop() async throws {
        try await execute("DROP SCHEMA \(name) CASCADE")
        await other.close(deadline: .now)
    }

    /// The URI of a schema in the database of a server on this machine.
    static func uri(port: UInt16, schema: String) -> String {
        "postgresql://postgres@127.0.0.1:\(port)/postgres?options=-csearch_path%3D\(schema)"
    }

    /// Executes a statement of another program.
    @discardableResult
    func execute(_ sql: String) async throws -> [SQLRow] { try await other.execute(.sql(sql)) }

    /// Calls `body` while a transaction of another program has executed statements, and then commits it.
    @discardableResult
    func whileOpen<Value>(_ sql: String..., body: () async throws -> Value) async throws -> Value {
        let barrier = Barrier()
        let other = other
        async let transaction: Void = other.transaction { transaction in
            try transaction.batch(sql.map { SQLStep(.sql($0)) })
            barrier.block()
        }
        let value = try await barrier.whileBlocked(body)
        try await transaction
        return value
    }

    /// The number that a query returns.
    func number(_ sql: String) async throws -> Int64 { try await execute(sql)[0].integer(0) }
}

/// Calls `body` with a database in a new schema, and closes it.
func withDatabase(_ body: (PostgreSQLDatabase) async throws -> Void) async throws {
    try await TestSchema.with { try await withDatabase($0.uri, body) }
}

/// Calls `body` with the database at a URI, and closes it.
func withDatabase(
    _ uri: String,
    timeout: Duration = .seconds(60),
    onError: @escaping @Sendable (any Error) -> Void = { _ in },
    _ body: (PostgreSQLDatabase) async throws -> Void
) async throws {
    let database = try await PostgreSQLDatabase.open(.test(uri, timeout: timeout), logger: .silent, onError: onError)
    do {
        try await body(database)
        await database.close(deadline: .now + .seconds(10))
    } catch {
        await database.close(deadline: .now)
        throw error
    }
}

extension PostgreSQLConfiguration {
    /// A configuration for a server that is slow because many tests use it.
    static func test(_ uri: String, connections: Int = 4, timeout: Duration = .seconds(300)) throws -> Self {
        var configuration = try PostgreSQLConfiguration(uri: uri)
        configuration.maximumConnections = connections
        configuration.callTimeout = timeout
        configuration.lockTimeout = timeout
        configuration.idleTransactionTimeout = timeout
        configuration.connectTimeout = .seconds(60)
        return configuration
    }
}

extension Logger {
    /// A logger that discards outages.
    static var silent: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }
}
