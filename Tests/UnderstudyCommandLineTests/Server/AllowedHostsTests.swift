import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct AllowedHostsTests {
    @Test func `a server rejects requests for other hosts, on both of its ports`() async throws {
        let program = try Program([
            "serve", "--demo", "--port", "0", "--admin-port", "0", "--allowed-hosts", "app.example, intranet",
            "--public-url", "https://public.example:8443/a",
        ])
        defer { program.kill() }
        let adminPort = try await program.operatorsPort
        let port = try await program.port
        for port in [port, adminPort] {
            for host in ["localhost", "127.0.0.1:\(port)", "APP.example:80", "intranet.", "public.example"] {
                #expect(try await livez(for: host, port).status == 200, "\(host)")
            }
            let rejected = try await livez(for: "evil.example", port)
            #expect(rejected.status == 421)
            #expect(rejected.header("Content-Type") == "application/problem+json")
            #expect(rejected.text.contains("\"code\":\"misdirectedRequest\""))
        }
    }

    @Test func `the port for operators checks hosts even on a public address`() async throws {
        let program = try Program(["serve", "--demo", "--port", "0", "--admin-host", "0.0.0.0", "--admin-port", "0"])
        defer { program.kill() }
        let port = try await program.operatorsPort
        #expect(try await livez(for: "localhost", port).status == 200)
        #expect(try await livez(for: "evil.example", port).status == 421)
    }

    private func livez(for host: String, _ port: UInt16) async throws -> TestResponse {
        try await HTTPTestClient.request("GET", "/livez", headers: ["Host": host], port: port)
    }
}
