/// `serve` with a PostgreSQL that starts later.
@Suite(.fiveMinutes, .serialized) struct DatabaseWaitTests {
    let workplace = Workplace()
    let cluster: Cluster
    let systemd: NotifySocket

    init() throws {
        cluster = try Cluster()
        systemd = try NotifySocket()
    }

    func server(_ uri: String? = nil) throws -> Program {
        try Program(
            ["serve", "--port", "0", "--admin-port", "0", "--database", uri ?? cluster.uri],
            environment: workplace.environment.merging(["NOTIFY_SOCKET": systemd.name]) { $1 }
        )
    }

    @Test func `a server waits for its database, says so, and serves when it is there`() async throws {
        try cluster.stop(.fast)
        let program = try server()
        defer { program.kill() }
        let admin = try await program.operatorsPort
        for attempt in 2...3 {
            let line = try #require(
                await program.errors.next(containing: "Waiting for the database attempt=\(attempt)")
            )
            #expect(line.contains("refused"))
        }
        #expect(await systemd.next(containing: "Waiting for the database").first?.contains("refused") == true)
        #expect(program.output.all == [])
        try await get("/livez", admin).expect()
        try await get("/readyz", admin).expect("The server waits for the database", #""part":"database""#, status: 503)
        try await get("/metrics", admin).expect()
        try cluster.start()
        let port = try await program.port
        try await get("/readyz", admin).expect()
        try await get("/readyz", port).expect()
        await program.end(SIGTERM).expect(status: 0)
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `a signal ends a server that waits cleanly`(signal: Int32) async throws {
        try cluster.stop(.fast)
        let program = try server()
        defer { program.kill() }
        // A signal that arrives before the server handles it has no effect.
        while let line = await program.errors.next(), !line.contains("Reloaded") {
            if line.contains("Waiting for the database") { program.send(SIGHUP) }
        }
        await program.end(signal).expect(status: 0, output: [])
    }

    @Test func `an error that waiting does not correct ends the server`() async throws {
        for (uri, error) in [
            ("\(cluster.uri.dropLast("postgres".count))nothing", #"database "nothing" does not exist"#),
            (cluster.uri.replacing("postgres@", with: "nobody@"), #"role "nobody" does not exist"#),
        ] {
            let program = try server(uri)
            defer { program.kill() }
            let result = await program.result().expect(status: 1)
            #expect(result.errors.last?.contains(error) == true, "\(result.errors)")
            #expect(!result.errors.contains { $0.contains("Waiting") })
        }
    }
}
