import AccountsPostgreSQL

@testable import UnderstudyCommandLine

/// Servers with one database, of which one has its sessions in memory.
@Suite(.fiveMinutes, .serialized) struct DatabaseLeasingTests {
    let workplace = Workplace()

    @Test(arguments: ["PostgreSQL", "SQLite"])
    func `servers share a database only if all have their sessions there`(kind: String) async throws {
        let isFile = kind == "SQLite"
        let options = ["--database", isFile ? workplace.database : try Cluster.newDatabase(), "--sessions"]
        for (first, second, end) in [
            ("memory", "memory", SIGTERM), ("memory", "database", SIGKILL), ("database", "memory", SIGKILL),
        ] {
            try await workplace.withServer(options + [first]) { program, _ async throws in
                let failure = await #expect(throws: NotListening.self) {
                    try await workplace.withServer(options + [second]) { _, _ in }
                }
                #expect(failure?.result.status == 1)
                let error = failure?.result.errors.last ?? ""
                #expect(error.contains("Another server with 'sessions: \(first)' uses the database '"), "\(error)")
                #expect(error.contains("'sessions: database' for all servers") == !isFile, "\(error)")
                // The next server starts, however this one has ended.
                await program.end(end)
            }
        }
        try await workplace.withServer(options + ["database"]) { _, _ async throws in
            try await workplace.withServer(options + ["database"]) { _, port async throws in
                try await get("/readyz", port).expect()
            }
        }
    }

    @Test func `a server ends if another one has taken the lease while the database was not available`() async throws {
        // The connection that was interrupted keeps the lease for half a minute.
        let refusals = Array(repeating: Result<Bool, any Error>.success(false), count: 7)
        let answers = LockedValue<[Result<Bool, any Error>]>(
            [.success(true), .failure(PostgreSQLError.unavailable(reason: "test"))] + refusals.dropLast()
                + [.success(true)] + refusals
        )
        let isReleased = LockedValue(false)
        let leasing = DatabaseLeasing(
            database: "db",
            advice: "do something",
            mode: .database,
            hold: { _ in try answers.change { $0.removeFirst() }.get() },
            release: { isReleased.value = true },
            interval: .zero
        )
        let error = CommandError(
            "Another server with 'sessions: memory' uses the database 'db'. Stop it first, or do something."
        )
        await #expect(throws: error) { try await leasing.run() }
        #expect(isReleased.value)
        #expect(answers.value.isEmpty)
    }
}
