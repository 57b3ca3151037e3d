import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct AllowedHostsTests {
    private func status(for host: String, port: UInt16) async throws -> Int {
        try await HTTPTestClient.request("GET", "/livez", headers: ["Host": host], port: port).status
    }

    @Test func `a server on a loopback address answers only for the hosts that settings name`() async throws {
        try await withServer(
            "--demo",
            "--allowed-hosts",
            "app.example, intranet",
            "--public-url",
            "https://public.example:8443/a"
        ) { _, port async throws in
            for host in ["localhost", "127.0.0.1:\(port)", "APP.example:80", "intranet.", "public.example"] {
                #expect(try await status(for: host, port: port) == 200, "\(host)")
            }
            let refused = try await HTTPTestClient.request(
                "GET",
                "/livez",
                headers: ["Host": "evil.example"],
                port: port
            )
            #expect(refused.status == 421)
            #expect(refused.header("Content-Type") == "application/problem+json")
            #expect(refused.text.contains("\"code\":\"misdirectedRequest\""))
            #expect(refused.text.contains("\"host\":\"evil.example\""))
        }
    }

    @Test func `without settings, a server on a loopback address answers for localhost and IP addresses`() async throws
    {
        // The address rather than the name, which some machines resolve to ::1 first.
        try await withServer("--demo", "--host", "127.0.0.1") { _, port async throws in
            #expect(try await status(for: "localhost", port: port) == 200)
            #expect(try await status(for: "127.0.0.1", port: port) == 200)
            #expect(try await status(for: "evil.example", port: port) == 421)
        }
    }

    @Test func `a server on a public address answers for any host, unless a setting names hosts`() async throws {
        try await withServer("--demo", "--host", "0.0.0.0") { _, port async throws in
            #expect(try await status(for: "app.example", port: port) == 200)
        }
        try await withServer("--demo", "--host", "0.0.0.0", "--allowed-hosts", "app.example") { _, port async throws in
            #expect(try await status(for: "app.example", port: port) == 200)
            #expect(try await status(for: "evil.example", port: port) == 421)
        }
    }

    @Test func `the port for operators checks the host on every address`() async throws {
        let program = try Program([
            "serve", "--demo", "--port", "0", "--admin-host", "0.0.0.0", "--admin-port", "0", "--public-url",
            "http://public.example",
        ])
        defer { program.kill() }
        let line = try #require(await program.errors.next(containing: "Listening for operators"))
        let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
        for host in ["localhost", "127.0.0.1", "public.example:9090"] {
            #expect(try await status(for: host, port: port) == 200, "\(host)")
        }
        #expect(try await status(for: "evil.example", port: port) == 421)
    }

    @Test(arguments: ["*", "https://app.example", "app.example:80", "a.example,,b.example"])
    func `an error says what a host name looks like`(list: String) async throws {
        for result in [
            try await Program.run("serve", "--allowed-hosts", list),
            try await Program.run("config", environment: ["UNDERSTUDY_ALLOWED_HOSTS": list]),
        ] {
            #expect(result.status == 64)
            #expect(result.output == [])
            #expect(result.errors.first?.contains("'allowed-hosts'") == true, "\(result.errors)")
            #expect(result.errors.first?.contains("such as app.example") == true, "\(result.errors)")
        }
    }
}
