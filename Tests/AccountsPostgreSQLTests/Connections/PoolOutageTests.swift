@Suite(.fiveMinutes, .serialized)
struct PoolOutageTests {
    static let terminate = SQLStatement("terminate", postgreSQL: "SELECT pg_terminate_backend($1::int, 30000)")
    static let terminateNamed = SQLStatement.sql(
        """
        SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
        WHERE state = 'active' AND query LIKE '/* understudy ' || $1 || ' */%'
        """
    )

    @Test func `a server, a host or a database that does not exist is reported`() async throws {
        let port = try ReservedPort()
        defer { withExtendedLifetime(port) {} }
        try await expectUnavailable(Cluster.uri(port.number), "refused")
        try await expectUnavailable("postgresql://postgres@nothing.invalid/postgres?sslmode=disable", "nothing.invalid")
        let missing = "postgresql://postgres@127.0.0.1:\(Cluster.shared.port)/nothing"
        try await expectRejected(missing, "3D000", "does not exist")
    }

    @Test func `a wrong password is reported without it`() async throws {
        try await Cluster.shared.createGuardedUser()
        let host = "127.0.0.1:\(Cluster.shared.port)/postgres"
        try await withPool("postgresql://guarded:s3cr%3Aet%40%2F@\(host)") { try await $0.check() }
        try await expectRejected("postgresql://guarded:wr0ng@\(host)", "28P01", "password authentication failed")
    }

    @Test func `a server that accepts and never answers is given up`() async throws {
        let socket = try ListeningSocket()
        let uri = Cluster.uri(socket.port)
        try await withPool(uri, \.connectTimeout, .milliseconds(100)) { pool in
            let error = try await failure { try await pool.check() }
            #expect("\(error)".contains("does not respond"))
        }
        try await withPool(uri) { pool async throws in
            #expect(try await failure { try await pool.execute(.one, deadline: .next) }.isUnavailable)
        }
    }

    @Test func `a request that has waited for the server in vain does not wait again`() async throws {
        let port = try ReservedPort()
        defer { withExtendedLifetime(port) {} }
        let uri = Cluster.uri(port.number)
        func call(within limit: Duration) async {
            await #expect(throws: PostgreSQLError.self) {
                try await withPool(uri, \.callTimeout, limit) { pool in
                    _ = try await pool.execute(.one)
                }
            }
        }
        await RequestTrace.bind { trace in
            await call(within: .milliseconds(1))
            #expect(trace.waitsSince != nil)
            trace.waitsSince? -= .seconds(36_000)
            // It would wait for an hour.
            await call(within: .seconds(3_600))
        }
    }

    @Test func `a host that never answers does not keep the pool from the next one`() async throws {
        let socket = try ListeningSocket()
        let uri = "postgresql://postgres@127.0.0.1:\(socket.port),127.0.0.1:\(Cluster.shared.port)/postgres"
        try await withPool(uri + "?target_session_attrs=read-write", \.connectTimeout, .seconds(2)) {
            pool async throws in
            #expect(try await pool.number(.one) == 1)
        }
    }

    @Test(arguments: [Cluster.StopMode.fast, .immediate])
    func `calls wait while the server restarts`(_ mode: Cluster.StopMode) async throws {
        let cluster = try Cluster()
        try await withPool(cluster.uri) { pool in
            let first = try await pool.number(.process)
            let running = Task { try await pool.execute(.sleep("stopped")) }
            try await pool.waitForStatements("stopped")
            try cluster.stop(mode)
            #expect(try await failure { try await running.value }.isUnavailable)
            #expect(try await failure { try await pool.execute(.one, deadline: .next) }.isUnavailable)
            let waiting = Task { try await pool.number(.process) }
            try await waitUntil { pool.statistics.waiting == 1 }
            try cluster.start()
            #expect(try await waiting.value != first)
        }
    }

    @Test func `a paused server delays calls until their deadline only`() async throws {
        let cluster = try Cluster()
        try await withTable(in: cluster.uri) { pool, table in
            try await pool.execute(table.count)
            try cluster.pause()
            #expect(try await failure { try await pool.execute(table.count, deadline: .soon) } == .deadlineExceeded)
            #expect(try await failure { try await pool.execute(table.insert(1), deadline: .soon) }.isUnavailable)
            try cluster.resume()
            #expect(try await pool.number(table.count) == 0)
            try await pool.execute(table.insert(2))
            try cluster.pause()
            // The server executes it after the pause.
            #expect(try await failure { try await pool.execute(table.insert(3), deadline: .soon) }.isOutcomeUnknown)
            try cluster.resume()
            try await waitUntil { try await pool.number(table.count) == 2 }
        }
    }

    @Test func `an idle connection that the server has closed is not used`() async throws {
        try await withPool { pool in
            let first = try await pool.number(.process)
            _ = try await withPool { try await $0.execute(Self.terminate, .integer(first)) }
            #expect(try await pool.number(.process) != first)
        }
    }

    @Test func `a connection that the server closes during a statement has committed nothing`() async throws {
        try await withPool { pool in
            let task = Task { try await pool.execute(.sleep("terminated")) }
            try await pool.waitForStatements("terminated")
            try await pool.execute(Self.terminateNamed, .text("terminated"))
            #expect(try await failure { try await task.value }.isUnavailable)
        }
    }

    @Test func `a transaction whose connection is lost has committed nothing`() async throws {
        try await withTable { pool, table in
            let barrier = Barrier()
            let process = LockedValue<Int64>(0)
            let task = Task {
                try await pool.transaction { transaction in
                    try transaction.batch([table.insert(1)])
                    let number = try transaction.execute(.process)[0].integer(0)
                    process.value = number
                    barrier.block()
                    try transaction.batch([table.insert(2)])
                }
            }
            try await barrier.whileBlocked { try await pool.execute(Self.terminate, .integer(process.value)) }
            #expect(try await failure { try await task.value }.isUnavailable)
            #expect(try await pool.number(table.count) == 0)
        }
    }

    @Test func `the outcome is unknown if the answer to a batch is lost`() async throws {
        try await expectCut(rows: 1) { pool, table in try await pool.execute(table.insert(1)) }
        try await expectCut(rows: 1) { pool, table in try await pool.batch([SQLStep(table.count), table.insert(1)]) }
    }

    @Test func `nothing is committed if an answer before the commit is lost`() async throws {
        try await expectCut(rows: 0) { pool, table in
            try await pool.transaction { _ = try $0.batch([table.insert(1)]) }
        }
    }

    @Test func `a server without writes is unavailable if writes are required`() async throws {
        try await withTable { pool, table in
            let uri = Cluster.shared.uri
            let readOnly = SQLStatement.sql("SELECT set_config('default_transaction_read_only', 'on', false)")
            for (attributes, isUnavailable) in [("read-write", true), ("any", false)] {
                try await withPool(uri + "?target_session_attrs=\(attributes)") { other in
                    try await other.execute(readOnly)
                    let error = try await failure { try await other.execute(table.insert(1)) }
                    #expect(error.isUnavailable == isUnavailable)
                    #expect((error.server?.sqlState == "25006") != isUnavailable)
                    #expect(other.statistics.opened == 1)
                }
            }
        }
    }

    func expectRejected(_ uri: String, _ expected: String, _ reason: String) async throws {
        try await withPool(uri) { pool in
            let error = try await failure { try await pool.check() }
            guard case .connectionRejected(let sqlState, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(sqlState == expected)
            #expect(!error.isTemporary)
            #expect("\(error)".hasSuffix(reason) || "\(error)".contains("\(reason) "), "\(error)")
            #expect(!"\(error)".contains("wr0ng") && !"\(error)".contains(".c:"))
        }
    }

    func expectUnavailable(_ uri: String, _ reason: String) async throws {
        try await withPool(uri) { pool in
            let error = try await failure { try await pool.check() }
            #expect(error.isUnavailable && error.isTemporary)
            #expect("\(error)".contains(reason))
            #expect(!"\(error)".contains("wr0ng"))
        }
    }

    func expectCut(rows: Int64, _ call: (PostgreSQLPool, Table) async throws -> Void) async throws {
        try await withTable { pool, table in
            let proxy = try CuttingProxy(to: Cluster.shared.port, cutAfter: "understudy insert")
            defer { proxy.stop() }
            try await withPool(Cluster.uri(proxy.port)) { cut in
                try await cut.execute(.one)
                let error = try await failure { try await call(cut, table) }
                #expect(rows == 1 ? error.isOutcomeUnknown : error.isUnavailable, "\(error)")
            }
            #expect(try await pool.number(table.count) == rows)
        }
    }
}
