@Suite(.fiveMinutes)
struct TransactionTests {
    let barrier = Barrier()

    @Test func `a batch with an error has no effect, and names the statement`() async throws {
        try await withTable { pool, table in
            let error = try await failure {
                try await pool.batch([table.insert(1), table.insert(2), table.insert(1), table.insert(3)])
            }
            #expect(error.server?.statement == "insert")
            #expect(error.server?.sqlState == "23505")
            #expect(error.server?.constraint == "\(table.name)_pkey")
            #expect(try await pool.number(table.count) == 0)
            #expect(pool.statistics.opened == 1)
        }
    }

    @Test func `an error that the server finds only at the commit is an error of the batch`() async throws {
        try await withTable(constraint: "UNIQUE (value) DEFERRABLE INITIALLY DEFERRED") { pool, table in
            let error = try await failure { try await pool.batch([table.insert(1, 7), table.insert(2, 7)]) }
            #expect(error.server?.sqlState == "23505")
            let ofTransaction = try await failure {
                try await pool.transaction { try $0.batch([table.insert(1, 7), table.insert(2, 7)]) }
            }
            #expect(ofTransaction.server?.sqlState == "23505")
            #expect(try await pool.number(table.count) == 0)
            #expect(pool.statistics.opened == 1)
        }
    }

    @Test func `an error's description contains no parameter`() async throws {
        try await withPool { pool in
            let error = try await failure { try await pool.execute(.sql("SELECT $1::text::integer"), .text("s3cret")) }
            #expect(error.server?.message.contains("s3cret") == true)
            #expect(!"\(error)".contains("s3cret"))
        }
    }

    @Test func `a transaction is committed when its body returns`() async throws {
        try await withTable { pool, table in
            let task = Task {
                try await pool.transaction { transaction in
                    try transaction.batch([table.insert(1)])
                    barrier.block()
                    return try transaction.execute(table.count)[0].integer(0)
                }
            }
            let count = try await barrier.whileBlocked { try await pool.number(table.count) }
            #expect(count == 0)
            #expect(try await task.value == 1)
            #expect(try await pool.number(table.count) == 1)
        }
    }

    @Test func `a transaction whose body ignores an error is not committed`() async throws {
        try await withTable { pool, table in
            let error = try await failure {
                try await pool.transaction { transaction in
                    try transaction.batch([table.insert(1)])
                    _ = try? transaction.batch([table.insert(1)])
                }
            }
            #expect(error.server?.sqlState == "23505")
            #expect(try await pool.number(table.count) == 0)
        }
    }

    @Test func `a transaction without a statement sends nothing`() async throws {
        let proxy = try CuttingProxy(to: Cluster.shared.port, cutAfter: "BEGIN")
        defer { proxy.stop() }
        try await withPool(Cluster.uri(proxy.port)) { pool in
            #expect(try await pool.transaction { _ in 1 } == 1)
            let error = try await failure { try await pool.transaction { try $0.execute(.one) } }
            #expect(error.isUnavailable)
        }
    }

    static let serializable = SQLStatement.sql("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")

    @Test func `conflicting serializable transactions fail with 40001`() async throws {
        try await withTable { pool, table in
            let first = Task {
                try await pool.transaction { first in
                    try first.batch([Self.serializable(), table.count()])
                    barrier.block()
                    try first.batch([table.insert(2)])
                }
            }
            try await barrier.whileBlocked {
                try await pool.transaction { second in
                    try second.batch([Self.serializable(), table.count()])
                    try second.batch([table.insert(1)])
                }
            }
            let error = try await failure { try await first.value }
            #expect(error.server?.sqlState == "40001")
            #expect(error.server?.isTransactionConflict == true)
            #expect(try await pool.number(table.count) == 1)
        }
    }

    @Test func `a transaction fails at its deadline, also between two statements`() async throws {
        try await withTable { pool, table in
            let deadline = ContinuousClock.Instant.soon
            let error = try await failure {
                try await pool.transaction(deadline: deadline) { transaction in
                    try transaction.batch([table.insert(1)])
                    while ContinuousClock.now <= deadline {}
                }
            }
            #expect(error == .deadlineExceeded)
            #expect(try await pool.number(table.count) == 0)
        }
    }

    @Test func `a cancelled transaction has no effect`() async throws {
        try await withTable { pool, table in
            let task = Task {
                try await pool.transaction { transaction in
                    try transaction.batch([table.insert(1)])
                    try transaction.execute(.sleep("in transaction"))
                }
            }
            try await pool.waitForStatements("in transaction")
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await pool.number(table.count) == 0)
        }
    }
}

/// A table of a test's own.
struct Table {
    let name: String
    let insertStatement: SQLStatement
    let count: SQLStatement

    func insert(_ id: Int64, _ value: Int64 = 0) -> SQLStep { insertStatement(id, value) }
}

/// Calls `body` with a new, empty table.
func withTable(
    in uri: String = Cluster.shared.uri,
    constraint: String = "CHECK (true)",
    _ body: (PostgreSQLPool, Table) async throws -> Void
) async throws {
    let name = "table_\(UInt64.random(in: 0...UInt64.max))"
    let table = Table(
        name: name,
        insertStatement: .sql("INSERT INTO \(name) VALUES ($1, $2)", name: "insert"),
        count: SQLStatement("count", postgreSQL: "SELECT count(*) FROM \(name)")
    )
    try await withPool(uri) { pool in
        try await pool.execute(.sql("CREATE TABLE \(name) (id bigint PRIMARY KEY, value bigint, \(constraint))"))
        try await body(pool, table)
    }
}
