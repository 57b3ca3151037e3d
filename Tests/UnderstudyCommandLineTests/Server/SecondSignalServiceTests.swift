@Suite(.fiveMinutes) struct SecondSignalTests {
    @Test(arguments: [SIGTERM, SIGINT], [SIGTERM, SIGINT])
    func `a second signal ends a server at once that waits for a request`(first: Int32, second: Int32) async throws {
        try await withServer("--drain", "50s") { program, port in
            let connection = try await HTTPTestClient(port: port)
            let head = "POST /email HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n"
            try await connection.send(head)
            try await connection.receive().expect(status: 100)
            program.send(first)
            #expect(await program.errors.next(containing: "Stopping") != nil)
            let result = await program.end(second)
            #expect(result.status == nil)
            #expect(result.signal == second)
        }
    }

    @Test func `a server serves until its drain, probes read that it stops; a second signal ends it`() async throws {
        try await withServer("--demo", "--drain-delay", "50m", "--admin-port", "0") { program, port in
            let operators = try await program.operatorsPort
            program.send(SIGTERM)
            #expect(await program.errors.next(containing: "Stopping") != nil)
            try await get("/readyz", operators).expect(status: 503)
            let client = try await HTTPTestClient(port: port)
            try await client.request("GET", "/readyz").expect(status: 503)
            #expect(try await client.isClosed)
            let login = try await HTTPTestClient(port: port).request(
                "POST",
                "/login",
                form: "username=batman&password=bruce"
            )
            login.expect()
            #expect(await program.end(SIGTERM).signal == SIGTERM)
        }
    }
}
