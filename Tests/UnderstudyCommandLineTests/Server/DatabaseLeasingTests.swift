import Foundation
import Glibc
import HTTPTestClient
import AccountsPostgreSQL
import PostgreSQLTestSupport
import Synchronization
import Testing
import Understudy

@testable import UnderstudyCommandLine

/// Servers with one database, of which one has its sessions in memory.
@Suite(.timeLimit(.minutes(5)), .serialized) struct DatabaseLeasingTests {
    private let workplace = Workplace()

    @Test(arguments: ["PostgreSQL", "SQLite"])
    func `a second server with sessions in memory does not start until the first one has ended`(
        kind: String
    ) async throws {
        let isFile = kind == "SQLite"
        let database = isFile ? workplace.database : try Cluster.newDatabase()
        let options = ["--database", database]
        for end in [SIGKILL, SIGTERM] {
            try await workplace.withServer(options) { first, port async throws in
                let result = try await Program.run(
                    ["serve", "--port", "0"] + options,
                    environment: workplace.environment
                )
                #expect(result.status == 1)
                let error = "Another server with 'sessions: memory' uses the database '"
                #expect(result.errors.last?.contains(error) == true, "\(result.errors)")
                #expect(result.errors.last?.contains("'sessions: database'") == !isFile)
                #expect(try await HTTPTestClient.request("GET", "/readyz", port: port).status == 200)
                first.send(end)
                _ = await first.result()
            }
        }
        try await workplace.withServer(options) { _, port async throws in
            #expect(try await HTTPTestClient.request("GET", "/readyz", port: port).status == 200)
        }
    }

    @Test(arguments: ["PostgreSQL", "SQLite"])
    func `servers with sessions in memory and in the database do not share a database`(kind: String) async throws {
        let isFile = kind == "SQLite"
        let database = isFile ? workplace.database : try Cluster.newDatabase()
        for (first, second) in [("memory", "database"), ("database", "memory")] {
            try await workplace.withServer(["--database", database, "--sessions", first]) { program, _ async throws in
                let failure = await #expect(throws: NotListening.self) {
                    try await workplace.withServer(["--database", database, "--sessions", second]) { _, _ in }
                }
                let error = "Another server with 'sessions: \(first)' uses the database '"
                #expect(failure?.result.errors.last?.contains(error) == true, "\(first)")
                // Without a graceful shutdown, the lease ends as well.
                program.send(SIGKILL)
                _ = await program.result()
            }
        }
        let options = ["--database", database, "--sessions", "database"]
        try await workplace.withServer(options) { _, _ async throws in
            try await workplace.withServer(options) { _, port async throws in
                #expect(try await HTTPTestClient.request("GET", "/readyz", port: port).status == 200)
            }
        }
    }

    @Test func `a server ends if another one has taken the lease while the database was not available`() async throws {
        // The connection that was interrupted keeps the lease for half a minute.
        let refusals = Array(repeating: Result<Bool, any Error>.success(false), count: 7)
        let answers = Mutex<[Result<Bool, any Error>]>(
            [.success(true), .failure(PostgreSQLError.unavailable(reason: "test"))] + refusals.dropLast()
                + [.success(true)] + refusals
        )
        let isReleased = Atomic(false)
        let leasing = DatabaseLeasing(
            database: "db",
            advice: "do something",
            mode: .database,
            hold: { _ in try answers.withLock { $0.removeFirst() }.get() },
            release: { isReleased.store(true, ordering: .relaxed) },
            interval: .zero
        )
        let error = CommandError(
            "Another server with 'sessions: memory' uses the database 'db'. Stop it first, or do something."
        )
        await #expect(throws: error) { try await leasing.run() }
        let wasReleased = isReleased.load(ordering: .relaxed)
        #expect(wasReleased)
        #expect(answers.withLock { $0.isEmpty })
    }
}
