/// With `--log-format json`, each line of standard error is a JSON object.
@Suite(.fiveMinutes) struct JSONLogTests {
    let workplace = Workplace()

    let json = ["UNDERSTUDY_LOG_FORMAT": "json"]

    func message(_ line: String) throws -> String {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        #expect(object["time"] is String && object["level"] is String && object["logger"] is String, "\(line)")
        return try #require(object["message"] as? String)
    }

    @Test func `from its start to its stop, a server writes JSON, and prints only its address`() async throws {
        try await workplace.withServer(["--log-level", "debug"], environment: json) { program, port async throws in
            _ = try await get("/products", port)
            program.send(SIGHUP)
            #expect(await program.errors.next(containing: "Reloaded") != nil)
            let result = await program.end(SIGTERM)
            result.expect(status: 0, output: ["Listening on http://127.0.0.1:\(port)"])
            #expect(try result.errors.map(message).contains("Listening"))
            let listening = try #require(result.errors.first { $0.contains(#""database":"#) })
            #expect(listening.contains(#""database":"\#(workplace.folder.path)/understudy.sqlite""#))
        }
    }

    @Test func `under systemd, which stores both outputs as one log, a server prints nothing else`() async throws {
        let systemd = try NotifySocket()
        let program = try Program(
            ["serve", "--port", "0", "--demo"],
            environment: json.merging(["NOTIFY_SOCKET": systemd.name]) { $1 }
        )
        defer { program.kill() }
        #expect(await systemd.next("READY=1").count == 2)
        let result = await program.end(SIGTERM)
        #expect(result.output == [])
        for line in result.errors { _ = try message(line) }
    }

    @Test(
        arguments: [
            (["--hash-iterations", "20"], 64), (["--port", "65536"], 64), (["--nonsense"], 64),
            (["--config", "/nonexistent.yaml"], 1), (["--mail-url", "smtp://localhost"], 64),
        ] as [([String], Int32)]
    )
    func `the error that ends a server is a line of JSON`(arguments: [String], status: Int32) async throws {
        for (options, environment) in [([], json), (["--log-format", "json"], [:]), (["--log-format=json"], [:])] {
            let result = try await workplace.run(
                ["serve", "--port", "0"] + arguments + options,
                environment: environment
            )
            try expectError(result, status)
        }
    }

    @Test(arguments: [["--database", "/nonexistent/a.sqlite"], ["--host", "192.0.2.1"]])
    func `the error of a server that has opened its log is a line of JSON`(arguments: [String]) async throws {
        try expectError(try await Program.run(["serve", "--port", "0"] + arguments, environment: json), 1)
    }

    func expectError(_ result: Program.Result, _ status: Int32) throws {
        result.expect(status: status)
        for line in result.errors { _ = try message(line) }
        #expect(result.errors.last?.contains(#""level":"error""#) == true)
    }
}
