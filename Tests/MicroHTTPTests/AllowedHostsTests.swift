@testable import MicroHTTP

@Suite(.fiveMinutes) struct AllowedHostsTests {
    // MARK: The list

    @Test(arguments: [
        "localhost", "LocalHost:8080", "localhost.", "localhost.:80", "127.0.0.1", "127.0.0.1:8080", "192.0.2.1",
        "[::1]", "[::1]:8080", "[2001:db8::1]", "app.example", "APP.EXAMPLE:443", "app.example.", "intranet",
    ])
    func `localhost, IP addresses and the names in the list are accepted, with or without a port`(host: String) throws {
        #expect(try AllowedHosts("App.example, intranet.").contains(authority: host.bytes))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "localhost.evil.example", "evillocalhost", "localhos", "app.example.evil",
        "app.example..", "127.0.0.1.evil.example", "[evil]", "[v1.a]", "[::1", "::1", "", ":80", ".", "1270.0.0.1",
        "app%2eexample", "app.exampl\u{212A}",
    ])
    func `any other host is rejected`(host: String) throws {
        #expect(try !AllowedHosts("app.example").contains(authority: host.bytes))
    }

    @Test func `a host can be added`() throws {
        var hosts = AllowedHosts()
        try hosts.allow("App.example.")
        #expect(hosts.contains(authority: "app.example:80".bytes))
        #expect(throws: ListEntryError.self) { try hosts.allow("https://b") }
    }

    @Test(arguments: [
        ("", ""), ("a.example,", ""), ("a.example, https://b.example", "https://b.example"), ("*", "*"),
        ("*.example", "*.example"), ("a.example:80", "a.example:80"), ("a.example/b", "a.example/b"),
        ("a..example", "a..example"), ("a b", "a b"), ("[::1", "[::1"), ("\u{FC}.example", "\u{FC}.example"),
    ])
    func `an error names the entry that is not a host name, and what was expected`(list: String, entry: String) {
        let error = #expect(throws: ListEntryError.self) { try AllowedHosts(list) }
        #expect(error?.entry == entry)
        #expect(error?.description.contains("'\(entry)'") == true)
        #expect(error?.description.contains("app.example") == true)
    }

    // MARK: When the host is checked

    /// A server on a Unix domain socket has no address.
    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.9.10", true), ("::1", true), ("0.0.0.0", false), ("192.0.2.1", false),
        ("::", false), ("", false),
    ])
    func `by default, only a server on a loopback address checks the host`(address: String, checks: Bool) {
        #expect((ServerConfiguration().hostPolicy.hosts(on: address) != nil) == checks)
        #expect(HostPolicy.always(AllowedHosts()).hosts(on: address) != nil)
        #expect(HostPolicy.never.hosts(on: address) == nil)
    }

    // MARK: Over a socket

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a request for another host gets 421, before its body is read, and the connection closes`(listening: String)
        async throws
    {
        let responder = StubResponder()
        try await withServer(responder) {
            ($0.host, $0.hostPolicy) = (listening, ServerConfiguration().hostPolicy)
        } test: { server in
            let client = try await HTTPTestClient(host: server.address.host, port: server.port)
            #expect(try await client.get(headers: ["Host": "LOCALHOST.:1"]).status == 200)
            #expect(try await client.get(headers: ["Host": "203.0.113.7"]).status == 200)
            try await client.send("POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 9\r\n\r\n")
            #expect(try await client.receiveLast().status == 421)
            #expect(responder.rejected.map(\.rejection) == [.misdirectedRequest(host: "evil.example")])
            #expect(responder.requests.count == 2)
        }
    }

    @Test(arguments: [
        ("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
        ("GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        ("GET / HTTP/1.0\r\n\r\n", 200), ("GET http://localhost/ HTTP/1.0\r\n\r\n", 200),
        ("GET http://evil.example/ HTTP/1.0\r\n\r\n", 421), ("GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n", 421),
        ("OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n", 200), ("OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
    ])
    func `the host of a target is checked, and a request that names none is accepted, since no browser sends one`(
        request: String,
        status: Int
    )
        async throws
    {
        try await withClient(configure: { $0.hostPolicy = ServerConfiguration().hostPolicy }) { _, client in
            let response = try await client.response(to: request)
            #expect(response.status == status)
        }
    }

    /// Where a server listens and what it checks, with the status of a request for evil.example.
    @Test(arguments: [
        ConfigurationCase("a server on a public address checks no host", 200) { $0.host = "0.0.0.0" },
        ConfigurationCase("a server on a public address checks the host if it is configured", 421) {
            ($0.host, $0.hostPolicy) = ("0.0.0.0", .always(AllowedHosts()))
        },
        ConfigurationCase("a host of the list is accepted", 200) {
            ($0.host, $0.hostPolicy) = ("0.0.0.0", .always(try AllowedHosts("evil.example")))
        },
        ConfigurationCase("a trusted proxy may name any host", 200) {
            ($0.trustedProxies, $0.hostPolicy) = (try TrustedProxies("127.0.0.1"), .always(AllowedHosts()))
        },
        ConfigurationCase("another client than the trusted proxy may not", 421) {
            ($0.trustedProxies, $0.hostPolicy) = (try TrustedProxies("127.0.0.2"), .always(AllowedHosts()))
        },
        ConfigurationCase("a socket that was handed over is checked if its address is loopback", 421) {
            $0.address = .handedOver(descriptor: try Listener(host: "127.0.0.1", port: 0, count: 1).sockets[0])
        },
        ConfigurationCase("a socket that was handed over is not checked on a public address", 200) {
            $0.address = .handedOver(descriptor: try Listener(host: "0.0.0.0", port: 0, count: 1).sockets[0])
        },
    ])
    func `whether the host is checked depends on the address, the client and the configuration`(
        setting: ConfigurationCase<Int>
    ) async throws {
        try await withClient {
            $0.hostPolicy = ServerConfiguration().hostPolicy
            try setting.configure(&$0)
        } test: { _, client async throws in
            #expect(try await client.get(headers: ["Host": "evil.example"]).status == setting.value)
        }
    }

    @Test func `a client of a Unix domain socket may name any host`() async throws {
        let folder = TemporaryFolder()
        let path = try folder.file("socket")
        try await withServer {
            ($0.address, $0.hostPolicy) = (.unixSocket(path: path, mode: 0o600), .always(AllowedHosts()))
        } test: { _ in
            let client = try await HTTPTestClient(path: path)
            #expect(try await client.get(headers: ["Host": "evil.example"]).status == 200)
        }
    }
}
