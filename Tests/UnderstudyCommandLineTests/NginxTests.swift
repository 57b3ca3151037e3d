/// The configuration in Examples/nginx, with nginx.
@Suite(.enabled(if: NginxProcess.isInstalled), .fiveMinutes) struct NginxTests {
    /// The address from which nginx connects to Understudy: another one than that of the clients, as on a network.
    let address = "127.0.0.9"

    /// Starts nginx in front of a server, and returns it with its port.
    func start(before port: UInt16) async throws -> (NginxProcess, UInt16) {
        let reserved = try [ReservedPort(), ReservedPort()]
        defer { withExtendedLifetime(reserved) {} }
        let ports = reserved.map(\.number)
        let nginx = try await NginxProcess(
            "nginx",
            [
                ("127.0.0.1:8080", "127.0.0.1:\(port)"), ("127.0.0.1:8000", "127.0.0.1:\(ports[0])"),
                ("127.0.0.1:8001", "127.0.0.1:\(ports[1])"), ("http {", "http {\nproxy_bind \(address);"),
            ]
        )
        return (nginx, ports[0])
    }

    @Test func `nginx admits logged-in users only, and passes their names to the application`() async throws {
        try await withServer("--demo", "--trusted-proxies", address) { _, port in
            let (nginx, proxy) = try await start(before: port)
            defer { nginx.stop() }
            let client = try await HTTPTestClient(port: proxy)
            let path = "/private/page"
            try await client.request("GET", path, headers: ["Host": "a"]).expect(status: 401)

            let form = "username=batman&password=bruce"
            let login = try await client.request("POST", "/login", headers: ["Host": "a"], form: form).expect()
            let cookie = try #require(login.header("Set-Cookie")?.split(separator: ";").first.map { String($0) })

            let inside = try await client.request("GET", path, headers: ["Host": "a", "Cookie": cookie]).expect()
            #expect(inside.text == "Hello, batman!\n")
            // A client cannot name its user itself.
            let forged = ["Host": "a", "Remote-User": "batman"] as KeyValuePairs
            try await client.request("GET", path, headers: forged).expect(status: 401)

            try await client.request("DELETE", "/session", headers: ["Host": "a", "Cookie": cookie]).expect(status: 204)
            try await client.request("GET", path, headers: ["Host": "a", "Cookie": cookie]).expect(status: 401)
        }
    }

    @Test func `a client behind nginx cannot use up the limit of another address with X-Forwarded-For`() async throws {
        try await withServer("--demo", "--trusted-proxies", address, "--requests", "3/1h") { _, port in
            let (nginx, proxy) = try await start(before: port)
            defer { nginx.stop() }
            let client = try await HTTPTestClient(port: proxy)
            let forged: KeyValuePairs = ["Host": "a", "X-Forwarded-For": "203.0.113.7"]
            // The requests count for 127.0.0.1, the client's address at nginx, and not for 203.0.113.7.
            for _ in 0..<3 { try await client.request("GET", "/private/", headers: forged).expect(status: 401) }
            try await get("/login", proxy, headers: ["Host": "a"]).expect(status: 429)
            try await get("/login", port, headers: ["X-Forwarded-For": "203.0.113.7"]).expect()
        }
    }
}
