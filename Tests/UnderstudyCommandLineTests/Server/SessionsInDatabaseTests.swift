/// Servers that store each event before they respond.
@Suite(.fiveMinutes, .serialized) struct SessionsInDatabaseTests {
    let workplace = Workplace()

    @Test func `a killed server has lost nothing that it has acknowledged`() async throws {
        try await workplace.add()
        var token = ""
        try await workplace.withServer(["--sessions", "database"]) { program, port async throws in
            token = try await loggedIn(port)
            try await post("/register", "userID=012345678912", token, port).expect()
            await program.end(SIGKILL)
        }
        try await workplace.withServer(["--sessions", "database"]) { _, port async throws in
            let next = try await post("/register", "userID=012345678912", token, port)
            #expect(next.text.hasPrefix(#"{"sequence":5,"#), "\(next.text)")
            let export = try await workplace.run("account export bruce@example.com")
            #expect(export.output.contains { $0.contains("012345678912") })
            try await get("/session", token, port).expect(#""username":"bruce@example.com""#)
            try await workplace.run("account disable bruce@example.com")
            try await get("/session", token, port).expect(status: 401)
        }
    }

    @Test func `a command shows and changes the version of the tables`() async throws {
        let (uri, file) = (try Cluster.newDatabase(), workplace.path("new.sqlite"))
        for (database, name) in [(file, file), (uri, "@")] {
            try await workplace.expect(
                """
                $ database status --database \(database)
                error: …'database migrate' creates…
                $ database migrate --database \(database)
                …\(name)…the tables now have version…
                $ database status --database \(database)
                …which is current
                """
            )
        }
    }
}
