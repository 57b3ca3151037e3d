import AccountStoreSuite
import AccountsPostgreSQL
import Glibc
import PostgreSQLTestSupport

@Suite(.timeLimit(.minutes(5)), .serialized)
struct TransportSecurityTests {
    static let encrypted = SQLStatement(
        "encrypted",
        postgreSQL: "SELECT ssl, $1::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
    )

    @Test func `an encrypted connection requires the name and the authority of the certificate`() async throws {
        let cluster = try Cluster(isEncrypted: true)
        let query = "/postgres?sslmode=verify-full&sslrootcert=\(cluster.certificate)"
        let text = String(repeating: "encrypted ", count: 1 << 20)
        try await withPool("postgresql://postgres@localhost:\(cluster.port)\(query)") { pool in
            let row = try await pool.execute(Self.encrypted, .text(text))[0]
            #expect(try row.boolean(0))
            #expect(try row.text(1) == text)
            #expect(try await pool.execute(Self.encrypted, .text("again"))[0].text(1) == "again")
            #expect(pool.statistics.opened == 1)
        }
        try await withPool("postgresql://postgres@127.0.0.1:\(cluster.port)\(query)") { pool in
            let error = try await failure { try await pool.check() }
            #expect("\(error)".contains("does not match host name"))
        }
        let other = try Cluster(isEncrypted: true)
        let wrong = "/postgres?sslmode=verify-full&sslrootcert=\(other.certificate)"
        try await withPool("postgresql://postgres@localhost:\(cluster.port)\(wrong)") { pool in
            let error = try await failure { try await pool.check() }
            #expect("\(error)".contains("certificate verify failed"))
        }
    }

    @Test func `the password can come from a file`() async throws {
        try await Cluster.shared.createGuardedUser()
        let file = Cluster.shared.folder + "/password"
        let output = try #require(fopen(file, "w"))
        fputs("s3cr:et@/\n", output)
        fclose(output)
        let configuration = try PostgreSQLConfiguration(
            uri: "postgresql://guarded@127.0.0.1:\(Cluster.shared.port)/postgres",
            passwordFile: file
        )
        try await withPool {
            $0 = configuration
        } _: {
            try await $0.check()
        }
        #expect(!"\(configuration)".contains("s3cr"))
    }
}
