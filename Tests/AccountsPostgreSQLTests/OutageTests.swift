@Suite(.fiveMinutes, .serialized)
struct OutageTests {
    let unavailable = CollaboratorError.outage(of: "accounts")

    @Test(arguments: [Cluster.StopMode.fast, .immediate])
    func `all calls fail while the server is stopped, and then succeed`(_ mode: Cluster.StopMode) async throws {
        let cluster = try Cluster()
        let errors = LockedValue<[any Error]>([])
        try await withDatabase(cluster.uri, timeout: .seconds(5)) { error in
            errors.append(error)
        } _: { database in
            let ada = Account.ada
            try await database.add(ada)
            try cluster.stop(mode)
            await expectUnavailable([
                { _ = try await database.account(ada.id) },
                { _ = try await database.failureCounts(of: [ada.id]) },
                { try await database.add(.bob) },
                { try await database.update(.unknownName(1)) { $0.failures += 1 } },
            ])
            // Without its deadline, it would wait for a minute.
            await #expect(throws: CollaboratorError.outage(of: "sessions")) {
                try await database.sessions { 0 }.save([SessionStoreSuite.session(1)], until: .now)
            }
            #expect(errors.value.count == 5)
            #expect(errors.value.allSatisfy { $0 is PostgreSQLError })
            try cluster.start()
            #expect(try await database.account(ada.id) == ada)
            try await database.add(.sample("cyd"))
            #expect(try await database.usernames == ["ada", "cyd"])
            try await database.update(.unknownName(1)) { count in
                #expect(count == FailureCount())
                count.failures += 1
            }
        }
    }

    @Test func `commits that wait for a lost standby take no more connections than a pool may open`() async throws {
        let cluster = try Cluster()
        try await withPool(cluster.uri) { other async throws in
            let count = SQLStatement.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            let insert = SQLStatement.sql("INSERT INTO sample VALUES (1)", name: "insert")
            try await other.execute(.sql("CREATE TABLE sample (number int)"))
            try await other.execute(.sql("ALTER SYSTEM SET synchronous_standby_names = 'lost'"))
            try await other.execute(.sql("SELECT pg_reload_conf()"))
            try await withPool(cluster.uri, \.maximumConnections, 2) { pool async throws in
                #expect(
                    try await eventually {
                        _ = try await failure { try await pool.execute(insert, deadline: .next) }
                        return try await other.number(count) == 2
                    }
                )
                for _ in 1...5 {
                    #expect(
                        try await failure { try await pool.execute(insert, deadline: .next) } == .deadlineExceeded
                    )
                }
                #expect(try await other.number(count) == 2)
                #expect(pool.statistics.inUse == 2)
                try await other.execute(.sql("ALTER SYSTEM RESET synchronous_standby_names"))
                try await other.execute(.sql("SELECT pg_reload_conf()"))
                try await pool.execute(insert)
            }
        }
    }

    @Test func `if the connection is lost during a commit, the call finds out whether it succeeded`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { _ in }
            let ada = Account.ada
            try await withCut(schema) { try await $0.add(ada) }
            try await withDatabase(schema.uri) { database async throws in
                #expect(try await database.account(ada.id) == ada)
            }
            try await withCut(schema) { database in
                let changed = try await database.change(ada.id, revokingSessions: true) { $0.name = "Ada" }
                #expect(changed?.name == "Ada")
            }
            try await withCut(schema) { try await $0.update(.unknownName(1)) { $0.failures += 1 } }
            try await withCut(schema) { database async throws in #expect(try await database.remove(ada.id)) }
            try await withDatabase(schema.uri) { database async throws in
                #expect(try await database.revocations.map(\.account) == [ada.id])
                #expect(try await database.update(.unknownName(1)) { $0.failures } == 1)
            }
        }
    }

    @Test func `if the connection is lost before a commit arrives, the call fails and changes nothing`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { _ in }
            let ada = Account.ada
            try await withCut(schema, isCommitted: false) { database in
                await #expect(throws: unavailable) { try await database.add(ada) }
                try await database.add(ada)
            }
        }
    }

    @Test func `if too many calls wait, a call fails as overloaded`() async throws {
        try await TestSchema.with { schema in
            try await withPool(schema.uri) {
                ($0.maximumConnections, $0.maximumWaiting) = (1, 0)
            } _: { pool in
                let running = Task { try await pool.execute(.sleep("full")) }
                try await waitUntil { pool.statistics.inUse == 1 }
                await #expect(throws: CollaboratorError.overloaded(retryAfter: .seconds(1))) {
                    try await PostgreSQLDatabase(pool: pool).account(.random())
                }
                running.cancel()
            }
        }
    }

    @Test func `while another transaction locks a row, calls that need it fail, and others are served`() async throws {
        try await TestSchema.with { schema in
            var configuration = try PostgreSQLConfiguration.test(schema.uri)
            configuration.lockTimeout = .milliseconds(100)
            let pool = PostgreSQLPool(configuration, logger: .silent)
            let database = PostgreSQLDatabase(pool: pool)
            try await database.migrate()
            let (ada, bob) = (Account.ada, Account.bob)
            try await database.add([ada, bob])
            for account in [ada, bob] { try await database.update(.account(account.id)) { $0.failures += 1 } }
            try await schema.whileOpen("SELECT FROM throttle WHERE key = 'account:\(ada.id)' FOR UPDATE") {
                await withTaskGroup { group in
                    for _ in 0..<30 {
                        group.addTask {
                            await #expect(throws: unavailable) {
                                try await database.update(.account(ada.id)) { $0.failures += 1 }
                            }
                        }
                    }
                    await #expect(throws: Never.self) {
                        try await waitUntil { pool.statistics.waiting >= 10 }
                        for _ in 0..<10 { try await database.update(.account(bob.id)) { $0.failures += 1 } }
                    }
                    #expect(pool.statistics.waiting > 0)
                }
            }
            #expect(try await database.update(.account(ada.id)) { $0.failures } == 1)
            #expect(try await database.update(.account(bob.id)) { $0.failures } == 11)
            await database.close(deadline: .now)
        }
    }

    /// Expects simultaneous calls to fail.
    func expectUnavailable(_ calls: [@Sendable () async throws -> Void]) async {
        _ = try? await concurrently(calls.count) { number in
            await #expect(throws: unavailable) { try await calls[number]() }
        }
    }

    /// Calls `body` with a database whose first connection is lost when it commits.
    ///
    /// - Parameter isCommitted: whether the server receives the commit, so that only its answer is lost.
    func withCut(
        _ schema: TestSchema,
        isCommitted: Bool = true,
        _ body: (PostgreSQLDatabase) async throws -> Void
    ) async throws {
        let port = Cluster.shared.port
        let proxy = try CuttingProxy(to: port, cutAfter: "understudy commit", passesTrigger: isCommitted)
        defer { proxy.stop() }
        let uri = TestSchema.uri(port: proxy.port, schema: schema.name)
        try await withPool(uri, \.maximumConnections, 1) { pool in
            try await body(PostgreSQLDatabase(pool: pool))
            #expect(pool.statistics.opened == 2)
        }
    }
}
