import Foundation

/// Each test has a server of its own, because it stops it, or connects as a user who is not a superuser.
@Suite(.fiveMinutes, .serialized)
struct HealthTests {
    let cluster: Cluster

    init() async throws {
        cluster = try Cluster()
        try await administer("CREATE ROLE app LOGIN", "CREATE DATABASE app OWNER app")
    }

    @Test func `a server that is gone`() async throws {
        try await check(.everything) {
            try cluster.stop(.immediate)
        } end: {
            try cluster.start()
        }
    }

    @Test func `a server that does not respond`() async throws {
        try await check(.everything) {
            try cluster.pause()
        } end: {
            try cluster.resume()
        }
    }

    @Test func `a server that is read-only after a failover`() async throws {
        try await check(.writes) {
            try await administer("ALTER ROLE app SET default_transaction_read_only = on", Self.terminate)
        } end: {
            try await administer("ALTER ROLE app RESET default_transaction_read_only", Self.terminate)
        }
    }

    @Test func `a user whose rights are revoked`() async throws {
        try await check(.everything) {
            try await administer("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM app", in: "app")
        } end: {
            try await administer("GRANT ALL ON ALL TABLES IN SCHEMA public TO app", in: "app")
        }
    }

    @Test func `a right that is revoked on one table is noticed by the probe, which names it`() async throws {
        try await withDatabase(uri) { database in
            for right in [
                "UPDATE ON session", "DELETE ON throttle", "DELETE ON session", "SELECT ON publication",
                "UPDATE ON session_revocation_counter",
            ] {
                try await administer("REVOKE \(right) FROM app", in: "app")
                let error = await #expect(throws: (any Error).self) { try await database.probe(size: 0) }
                #expect("\(error, default: "")".contains("GRANT \(right) TO USER"))
                try await administer("GRANT \(right) TO app", in: "app")
            }
            try await database.probe(size: 0)
        }
    }

    @Test(arguments: ["publication", "session_revocation_counter", "health"])
    func `a table that is not copied is missed as well, also at the start`(table: String) async throws {
        try await withDatabase(uri) { database in
            try await administer("ALTER TABLE \(table) RENAME TO deleted", in: "app")
            await #expect(throws: (any Error).self) { try await database.probe(size: 0) }
            await #expect(throws: PostgreSQLDatabaseError.changed(schema: "public", table: table)) {
                try await database.version()
            }
            try await administer("ALTER TABLE deleted RENAME TO \(table)", in: "app")
        }
    }

    @Test func `a connection that is rejected changes nothing, if events succeed with another one`() async throws {
        try await check(.nothing, noticedBy: []) {
            try await administer("ALTER ROLE app CONNECTION LIMIT 1")
        } end: {
            try await administer("ALTER ROLE app CONNECTION LIMIT -1")
        }
    }

    @Test func `a server that accepts no connection`() async throws {
        try await check(.everything) {
            try await administer("ALTER ROLE app CONNECTION LIMIT 0", Self.terminate)
        } end: {
            try await administer("ALTER ROLE app CONNECTION LIMIT -1")
        }
    }

    @Test func `a table that was deleted is noticed by the probe`() async throws {
        try await check(.everything, noticedBy: .probe) {
            try await administer("ALTER TABLE account RENAME TO deleted", in: "app")
        } end: {
            try await administer("ALTER TABLE deleted RENAME TO account", in: "app")
        }
    }

    @Test func `a damaged table is noticed by events`() async throws {
        try await withDatabase(uri) { _ in }
        let relation = try await administer("SELECT pg_relation_filepath('account')", in: "app")[0].text(0)
        let file = URL(fileURLWithPath: "\(cluster.folder)/data/\(relation)")
        let overwrite = { @Sendable (change: (Data) -> Data) in
            try cluster.stop(.fast)
            let bytes = change(try Data(contentsOf: file))
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: bytes)
            try handle.close()
            try cluster.start()
        }
        // Its own inverse.
        let invert = { @Sendable in try overwrite { Data($0.map { ~$0 }) } }
        try await check(.everything, noticedBy: .events, begin: invert, end: invert)
    }

    @Test(.ifDisksCanBeMounted) func `a full disk`() async throws {
        let disk = try SmallDisk("\(cluster.folder)/disk", ownedBy: "postgres")
        defer { disk.remove() }
        try await withDatabase(uri) { _ in }
        try await administer("CREATE TABLESPACE small LOCATION '\(disk.path)'", in: "app")
        for table in ["account", "health"] {
            try await administer("ALTER TABLE \(table) SET TABLESPACE small", in: "app")
        }
        try await check(.writes, noticedBy: .events) {
            try disk.fill()
        } end: {
            try disk.empty()
        }
    }

    var uri: String { "postgresql://app@127.0.0.1:\(cluster.port)/app" }

    static let terminate = "SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE usename = 'app'"

    /// Executes statements as a superuser.
    @discardableResult
    func administer(_ statements: String..., in database: String = "postgres") async throws -> [SQLRow] {
        let pool = PostgreSQLPool(try .test(Cluster.uri(cluster.port, database), connections: 1), logger: .silent)
        var result: [SQLRow]?
        for statement in statements { result = try await pool.execute(.sql(statement)) }
        await pool.close(deadline: .now)
        return try #require(result)
    }

    func check(
        _ failing: HealthSuite.Failing,
        noticedBy notice: HealthSuite.Notice = [.events, .probe],
        begin: @escaping @Sendable () async throws -> Void,
        end: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withDatabase(uri, timeout: .seconds(3)) { database in
            try await HealthSuite.check(database, failing, noticedBy: notice, begin: begin, end: end)
        }
    }
}
