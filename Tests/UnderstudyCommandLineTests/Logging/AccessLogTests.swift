@Suite(.fiveMinutes) struct AccessLogTests {
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `each request is a line with the names and the types of its fields in order`() async throws {
        try await withServer("--demo", "--log-format", "json", "--log-level", "debug", "--loops", "1") {
            program,
            port in
            let client = try await HTTPTestClient(port: port)
            let form: KeyValuePairs = [
                "Content-Type": "application/x-www-form-urlencoded", "X-Request-ID": "a", "traceparent": trace,
            ]
            _ = try await client.request("POST", "/login", headers: form, body: "username=x&password=y".bytes)
            _ = try await client.request("GET", "/no\"where?query")
            _ = try await client.request("GET", "/livez")
            _ = try await get("/", port, headers: ["Content-Length": "x"])
            let lines = await program.end(SIGTERM).errors.filter { $0.contains("\"understudy.access\"") }
            let patterns = [
                #"""
                \{"time":"[0-9T:.-]{23}Z","level":"info","logger":"understudy.access","message":"Request","client":"127.0.0.1",\
                "codes":"login.wrongCredentials","duration":[0-9.]+,"event":"loginButtonPressed","hash":[0-9.]+,"method":"POST","page":"login","request":"a","session":"[0-9a-f]{8}",\
                "span":"00f067aa0ba902b7","status":200,"trace":"4bf92f3577b34da6a3ce929d0e0e4736"\}
                """#,
                #"""
                \{.*"level":"info",.*"message":"Request","client":"127.0.0.1","code":"unknownPage","duration":[0-9.]+,"method":"GET","path":"/no\\"where",\
                "request":"[a-z2-7]{15}","status":404\}
                """#,
                #"""
                \{.*"level":"debug",.*"message":"Request","duration":[0-9.]+,"method":"GET","path":"/livez",\
                "request":"[a-z2-7]{15}","status":200\}
                """#,
                #"\{.*"level":"info",.*"message":"Rejected","client":"127.0.0.1","code":"malformedRequest","request":"[a-z2-7]{15}","status":400\}"#,
            ]
            #expect(lines.count == patterns.count)
            for (line, pattern) in zip(lines, patterns) {
                #expect(try Regex(pattern.replacing("\\\n", with: "")).wholeMatch(in: line) != nil, "\(line)")
            }
        }
    }

    @Test func `a server whose log is not read continues to respond, and stops`() async throws {
        let fifo = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)").path
        defer { unlink(fifo) }
        #expect(mkfifo(fifo, 0o600) == 0)
        let reader = open(fifo, O_RDWR)
        defer { close(reader) }
        let program = try Program(
            ["serve", "--demo", "--port", "0", "--loops", "1"],
            environment: ["FIFO": fifo],
            shell: #"exec "$0" "$@" 2>"$FIFO""#
        )
        defer { program.kill() }
        let client = try await HTTPTestClient(port: program.port)
        // 250 bytes a line: four times as many as a pipe accepts.
        let path = "/" + "%".repeated(99)
        for _ in 0..<1000 { try await client.request("GET", path).expect(status: 404) }
        program.send(SIGTERM)
        // Nobody reads what is left, so the server gives up.
        await program.result().expect(status: 0)
    }
}
