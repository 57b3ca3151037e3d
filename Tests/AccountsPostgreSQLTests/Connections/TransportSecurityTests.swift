@Suite(.fiveMinutes, .serialized)
struct TransportSecurityTests {
    static let encrypted = SQLStatement.sql("SELECT ssl, $1::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()")

    @Test func `an encrypted connection requires the name and the authority of the certificate`() async throws {
        let cluster = try Cluster(isEncrypted: true)
        let query = "/postgres?sslmode=verify-full&sslrootcert=\(cluster.certificate)"
        let text = "encrypted ".repeated(1 << 20)
        try await withPool("postgresql://postgres@localhost:\(cluster.port)\(query)") { pool in
            let row = try await pool.execute(Self.encrypted, .text(text))[0]
            #expect(try row.boolean(0))
            #expect(try row.text(1) == text)
            #expect(try await pool.execute(Self.encrypted, .text("again"))[0].text(1) == "again")
            #expect(pool.statistics.opened == 1)
        }
        let other = try Cluster(isEncrypted: true)
        let wrong = "/postgres?sslmode=verify-full&sslrootcert=\(other.certificate)"
        for (host, query, reason) in [
            ("127.0.0.1", query, "does not match host name"), ("localhost", wrong, "certificate verify failed"),
        ] {
            try await withPool("postgresql://postgres@\(host):\(cluster.port)\(query)") { pool in
                let error = try await failure { try await pool.check() }
                #expect("\(error)".contains(reason))
            }
        }
    }

    @Test func `the password can come from a file`() async throws {
        try await Cluster.shared.createGuardedUser()
        let folder = TemporaryFolder()
        try folder.write("password", "s3cr:et@/\n")
        let uri = "postgresql://guarded@127.0.0.1:\(Cluster.shared.port)/postgres"
        let configuration = try PostgreSQLConfiguration(uri: uri, passwordFile: try folder.file("password"))
        try await withPool {
            $0 = configuration
        } _: {
            try await $0.check()
        }
        #expect(!"\(configuration)".contains("s3cr"))
    }
}
