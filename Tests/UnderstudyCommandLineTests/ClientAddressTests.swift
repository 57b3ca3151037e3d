import Foundation
import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct ClientAddressTests {
    @Test(arguments: [
        (["--trusted-proxies", "10.0.0.0/8, 127.0.0.1"], "203.0.113.7"), (["--trusted-proxies", "unix"], "127.0.0.1"),
        ([], "127.0.0.1"),
    ])
    func `the audit log has the client's address, which trusted proxies say`(
        options: [String],
        address: String
    ) async throws {
        let log = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: log) }
        let program = try Program(["serve", "--port", "0", "--demo", "--audit-log", log.path] + options)
        defer { program.kill() }
        let line = try #require(await program.output.next(containing: "Listening on "))
        let answer = try await HTTPTestClient.request(
            "POST",
            "/signup",
            headers: [
                "Content-Type": "application/x-www-form-urlencoded",
                "X-Forwarded-For": "198.51.100.9, 203.0.113.7:1234",
            ],
            body: Array("name=Lisa&email=lisa@rules.example&password=eighteen-long-words".utf8),
            port: try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
        )
        #expect(answer.status == 200)
        program.send(SIGTERM)
        #expect(await program.result().status == 0)
        #expect(try String(contentsOf: log, encoding: .utf8).contains("\"address\":\"\(address)\""))
    }

    @Test func `requests are limited as the option says`() async throws {
        try await withServer("--demo", "--requests", "2/1h", "--limit-loopback") { _, port in
            let client = try await HTTPTestClient(port: port)
            for _ in 0..<2 { #expect(try await client.request("GET", "/login").status == 200) }
            let refused = try await client.request("GET", "/login")
            #expect(refused.status == 429)
            #expect(refused.header("RateLimit-Policy") == "\"requests\";q=2;w=3600")
            #expect(try await client.request("GET", "/livez").status == 200)
        }
        try await withServer("--demo", "--requests", "off", "--limit-loopback") { _, port in
            let client = try await HTTPTestClient(port: port)
            for _ in 0..<1300 { #expect(try await client.request("GET", "/problems/x").status == 404) }
        }
    }

    @Test func `connections are limited as the option says`() async throws {
        try await withServer("--demo", "--connections-per-address", "1", "--limit-loopback") { _, port async throws in
            let client = try await HTTPTestClient(port: port)
            #expect(try await client.request("GET", "/login").status == 200)
            let other = try await HTTPTestClient(port: port)
            #expect(try await other.isClosed)
            #expect(try await client.request("GET", "/login").status == 200)
        }
    }

    @Test(arguments: ["localhost", "10.0.0.1/8", "10.0.0.7,,::1", "*"])
    func `a list of proxies that will not do is one line of error`(list: String) async throws {
        for result in [
            try await Program.run("serve", "--trusted-proxies", list),
            try await Program.run("serve", environment: ["UNDERSTUDY_TRUSTED_PROXIES": list]),
        ] {
            #expect(result.status == 64)
            #expect(result.output == [])
            #expect(result.errors.first?.contains("is neither an IP address nor a network") == true, "\(result.errors)")
        }
    }
}
