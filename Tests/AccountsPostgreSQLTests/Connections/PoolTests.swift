@Suite(.fiveMinutes)
struct PoolTests {
    @Test func `1,000 concurrent calls share 4 connections`() async throws {
        try await withPool { pool in
            let echo = SQLStatement("echo", postgreSQL: "SELECT $1::bigint, pg_backend_pid()")
            let rows = try await concurrently(1000) { try await pool.execute(echo, .integer(Int64($0)))[0] }
            let processes = Set(try rows.map { try $0.integer(1) })
            #expect(try rows.reduce(0) { try $0 + $1.integer(0) } == 499_500)
            #expect((1...4).contains(processes.count))
            #expect(pool.statistics.opened == processes.count)
        }
    }

    @Test func `a connection is replaced after its lifetime`() async throws {
        try await withPool(Cluster.shared.uri, \.maximumLifetime, .zero) { pool in
            let first = try await pool.number(.process)
            #expect(try await pool.number(.process) != first)
        }
    }

    @Test func `a Unix socket works`() async throws {
        try await withPool(Cluster.shared.socketURI) { pool async throws in
            #expect(try await pool.number(.one) == 1)
        }
    }

    @Test func `the server shows the statement's name and the application`() async throws {
        try await withPool { pool in
            let sql = "SELECT query, application_name FROM pg_stat_activity WHERE pid = pg_backend_pid()"
            let row = try await pool.execute(.sql(sql, name: "who-am-I"))[0]
            #expect(try row.text(0).hasPrefix("/* understudy who-am-I */ SELECT"))
            #expect(try row.text(1) == "understudy")
        }
    }

    /// Calls `body` while a statement with a name uses the only connection of a pool, until its task is cancelled.
    func whileBusy(
        _ name: String,
        maximumWaiting: Int? = nil,
        _ body: (PostgreSQLPool, _ blocker: Task<[SQLRow], any Error>) async throws -> Void
    ) async throws {
        try await withPool {
            $0.maximumConnections = 1
            if let maximumWaiting { $0.maximumWaiting = maximumWaiting }
        } _: { pool in
            let blocker = Task { try await pool.execute(.sleep(name)) }
            defer { blocker.cancel() }
            try await withPool { try await $0.waitForStatements(name) }
            try await body(pool, blocker)
        }
    }

    @Test func `a call that finds the queue full fails at once`() async throws {
        try await whileBusy("full", maximumWaiting: 1) { pool, blocker async throws in
            let queued = Task { try await pool.execute(.one) }
            try await waitUntil { pool.statistics.waiting == 1 }
            #expect(try await failure { try await pool.execute(.one) } == .queueFull)
            blocker.cancel()
            #expect(try await queued.value.count == 1)
        }
    }

    @Test func `a waiting call fails at its deadline, and the connection stays usable`() async throws {
        try await whileBusy("queued") { pool, blocker async throws in
            #expect(try await failure { try await pool.execute(.one, deadline: .next) } == .deadlineExceeded)
            #expect(pool.statistics.inUse == 1)
            blocker.cancel()
            await #expect(throws: CancellationError.self) { try await blocker.value }
        }
    }

    @Test func `a cancelled task leaves the queue`() async throws {
        try await whileBusy("leaver") { pool, _ async throws in
            let queued = Task { try await pool.execute(.one) }
            try await waitUntil { pool.statistics.waiting == 1 }
            queued.cancel()
            await #expect(throws: CancellationError.self) { try await queued.value }
            try await waitUntil { pool.statistics.waiting == 0 }
        }
    }

    @Test func `the server ends a statement whose deadline has passed, or whose task is cancelled`() async throws {
        try await withPool { pool in
            // Opening a connection takes longer than that while many tests run.
            _ = try await pool.execute(.one)
            #expect(try await failure { try await pool.execute(.sleep("late"), deadline: .soon) } == .deadlineExceeded)
            try await pool.waitForStatements("late", 0)
            #expect(try await pool.execute(.one).count == 1)
            let task = Task { try await pool.execute(.sleep("cancelled later")) }
            try await pool.waitForStatements("cancelled later")
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await pool.waitForStatements("cancelled later", 0)
        }
    }

    @Test func `the outcome of a change that was cancelled or too late is unknown`() async throws {
        try await withPool { pool in
            func change(_ name: String) -> SQLStatement {
                .sql("DO $$ BEGIN PERFORM pg_sleep(600); END $$", name: name)
            }
            _ = try await pool.execute(.one)
            #expect(try await failure { try await pool.execute(change("late"), deadline: .soon) }.isOutcomeUnknown)
            let task = Task { try await pool.execute(change("cancelled change")) }
            try await pool.waitForStatements("cancelled change")
            task.cancel()
            #expect(try await failure { try await task.value }.isOutcomeUnknown)
        }
    }

    @Test func `the server ends a statement after the statement timeout`() async throws {
        try await withPool(Cluster.shared.uri, \.statementTimeout, .milliseconds(50)) { pool async throws in
            #expect(try await failure { try await pool.execute(.sleep("long")) } == .deadlineExceeded)
            #expect(pool.statistics.opened == 1)
        }
    }

    @Test(arguments: [true, false])
    func `a transaction whose process does not go on keeps its locks for the idle timeout only`(_ prepared: Bool)
        async throws
    {
        let lock = SQLStatement.sql("SELECT pg_advisory_xact_lock(4713, \(prepared ? 1 : 0))")
        try await withPool {
            ($0.idleTransactionTimeout, $0.preparedStatements) = (.milliseconds(50), prepared)
            $0.statementTimeout = .seconds(600)
        } _: { pool in
            let barrier = Barrier()
            async let paused = failure {
                try await pool.transaction { transaction in
                    try transaction.batch([lock()])
                    barrier.block()
                    try transaction.batch([lock()])
                }
            }
            try await barrier.whileBlocked { _ = try await withPool { try await $0.execute(lock) } }
            #expect(try await paused.isUnavailable)
        }
    }

    @Test(arguments: [true, false])
    func `a wait for a lock of another transaction ends after the lock timeout`(_ prepared: Bool) async throws {
        try await withPool {
            ($0.lockTimeout, $0.preparedStatements) = (.milliseconds(20), prepared)
        } _: { pool in
            let lock = SQLStatement.sql("SELECT pg_advisory_lock(4712, \(prepared ? 1 : 0))")
            try await withPool { other in
                try await other.execute(lock)
                #expect(try await failure { try await pool.execute(lock) }.server?.sqlState == "55P03")
                // Closing the connection would release it later.
                try await other.execute(.sql("SELECT pg_advisory_unlock_all()"))
            }
            _ = try await pool.execute(lock)
            #expect(pool.statistics.opened == 1)
        }
    }

    @Test func `transactions with the same key run one at a time, and leave connections to others`() async throws {
        try await withPool { pool in
            let tasks = (0..<8).map { _ in
                Task { try await pool.transaction(key: "a") { try $0.execute(.sleep("keyed")) } }
            }
            try await waitUntil { pool.statistics.waiting == 7 }
            #expect(try await pool.number(.one) == 1)
            _ = try await pool.transaction(key: "b") { try $0.execute(.one) }
            try await pool.waitForStatements("keyed")
            // The connection of each is lost, and the next one begins.
            for (number, task) in tasks.enumerated() {
                task.cancel()
                _ = await task.result
                if number < 7 { try await waitUntil { pool.statistics.waiting <= 6 - number } }
            }
            _ = try await pool.transaction(key: "a") { try $0.execute(.one) }
            let rows = try await concurrently(20) { _ in
                try await pool.transaction(key: "a") { try $0.execute(.one)[0].integer(0) }
            }
            #expect(rows.reduce(0, +) == 20)
        }
    }

    @Test func `statements work without preparation, and the server limits them`() async throws {
        try await withPool(Cluster.shared.uri, \.preparedStatements, false) { pool async throws in
            #expect(try await pool.number(.one) == 1)
            #expect(try await pool.number(.sql("SELECT count(*) FROM pg_prepared_statements")) == 0)
            let limit = SQLStatement.sql("SELECT current_setting('statement_timeout')")
            #expect(try await pool.execute(limit)[0].text(0) != "0")
            #expect(try await pool.transaction { try $0.batch([SQLStep(.one), SQLStep(.one)]) }.count == 2)
        }
    }

    @Test func `close lets running and waiting calls finish, and rejects others`() async throws {
        try await withPool(Cluster.shared.uri, \.maximumConnections, 1) { pool in
            let lock = SQLStatement("closing", postgreSQL: "SELECT pg_advisory_xact_lock(4711)")
            try await withPool { other in
                try await other.execute(.sql("SELECT pg_advisory_lock(4711)"))
                let running = Task { try await pool.execute(lock) }
                try await other.waitForStatements("closing")
                let waiting = Task { try await pool.execute(.one) }
                try await waitUntil { pool.statistics.waiting == 1 }
                let closing = Task { await pool.close(deadline: .now + .seconds(50)) }
                try await waitUntil { try await failure { try await pool.execute(.one, deadline: .now) }.isUnavailable }
                try await other.execute(.sql("SELECT pg_advisory_unlock_all()"))
                #expect(try await running.value.count == 1)
                #expect(try await waiting.value.count == 1)
                await closing.value
            }
        }
    }

    @Test func `close ends calls at its deadline`() async throws {
        try await withPool { pool in
            let task = Task { try await pool.execute(.sleep("closed")) }
            try await withPool { try await $0.waitForStatements("closed") }
            await pool.close(deadline: .now)
            #expect(try await failure { try await task.value }.isUnavailable)
            #expect(pool.statistics.inUse == 0)
        }
    }
}
