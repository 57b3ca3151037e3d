import HTTPTestClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct AllowedHostsTests {
    @Test func `both ports accept the server's names and the allowed hosts, also on a public address`() async throws {
        let hosts = ["--allowed-hosts", "app.example, intranet", "--public-url", "https://public.example:8443/a"]
        try await withServer(["--demo", "--admin-host", "0.0.0.0", "--admin-port", "0"] + hosts) {
            program,
            port async throws in
            for port in [port, try await program.operatorsPort] {
                for host in ["localhost", "127.0.0.1:\(port)", "APP.example:80", "intranet.", "public.example"] {
                    #expect(try await livez(for: host, port).status == 200, "\(host)")
                }
                let rejected = try await livez(for: "evil.example", port)
                #expect(rejected.status == 421)
                #expect(rejected.header("Content-Type") == "application/problem+json")
                #expect(rejected.text.contains("\"code\":\"misdirectedRequest\""))
            }
        }
    }

    private func livez(for host: String, _ port: UInt16) async throws -> TestResponse {
        try await HTTPTestClient.request("GET", "/livez", headers: ["Host": host], port: port)
    }
}
