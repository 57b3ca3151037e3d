struct RequestLimitTests {
    let clock = ManualClock()

    /// A service that permits so many requests a minute.
    func service(_ count: Int) -> UnderstudyService {
        UnderstudyService { ($0.requests, $0.clock) = (Rate(count, per: .seconds(60)), clock) }
    }

    func send(
        to service: UnderstudyService,
        _ method: Method = .get,
        _ target: String = "/login",
        from address: String = "203.0.113.7"
    ) async -> Answer {
        await service.send(Request(method, target, clientAddress: IPAddress(address)))
    }

    @Test func `a client above the limit gets 429 with Retry-After`() async throws {
        let service = service(3)
        for _ in 0..<3 { expect(await send(to: service), 200) }
        clock.advance(by: .milliseconds(500))
        try expect(
            await send(to: service),
            429,
            "tooManyRequests",
            has: [
                "Retry-After": "20", "RateLimit-Policy": #""requests";q=3;w=60"#, "RateLimit": #""requests";r=0;t=20"#,
            ]
        )
        expect(await send(to: service, from: "203.0.113.8"), 200)
        clock.advance(by: .milliseconds(19_500))
        expect(await send(to: service), 200)
        expect(await send(to: service), 429)
    }

    @Test(arguments: [Duration.seconds(-3600), .seconds(3600)])
    func `setting the clock neither takes an address's requests away nor gives them back`(duration: Duration) async {
        let service = service(3)
        for _ in 1...2 { expect(await send(to: service), 200) }
        clock.set(by: duration)
        expect(await send(to: service), 200)
        expect(await send(to: service), 429)
        clock.advance(by: .seconds(20))
        expect(await send(to: service), 200)
    }

    @Test(arguments: [
        (Method.get, "/login"), (.post, "/login"), (.post, "/session"), (.delete, "/session"), (.get, "/session"),
        (.get, "/nowhere"), (.get, "/openapi.json"), (.post, "/validate"), (.post, "/livez"), (.get, "/livez/x"),
        ("PUT", "/livez"), (.options, "/readyz"),
    ])
    func `every request counts, including rejected ones`(method: Method, target: String) async throws {
        let service = service(2)
        for _ in 0..<2 { #expect(await send(to: service, method, target, from: "2001:db8::1").status != 429) }
        expect(await send(to: service, method, target, from: "2001:db8::2"), 429)
    }

    @Test(arguments: ["/livez", "/readyz", "/livez?x", "/readyz?"])
    func `health checks are not limited and do not count`(target: String) async throws {
        let service = service(1)
        for method in [Method.get, .head] {
            for _ in 0..<3 { expect(await send(to: service, method, target), 200) }
        }
        expect(await send(to: service), 200)
        expect(await send(to: service, .get, target), 200)
    }

    @Test func `over a socket, the limited address is the one that a trusted proxy reports`() async throws {
        let service = service(1)
        let proxies = try TrustedProxies("127.0.0.1")
        try await withServer(service, configure: { $0.trustedProxies = proxies }) { port async throws in
            let line = SocketSender(port: port)
            func status(_ address: String) async throws -> Int {
                try await line.send(Request(.get, "/login", headers: ["X-Forwarded-For": address])).status
            }
            #expect(try await status("203.0.113.7") == 200)
            #expect(try await status("203.0.113.7") == 429)
            #expect(try await status("203.0.113.7, 203.0.113.8") == 200)
            for expected in [200, 429] { #expect(try await status("127.0.0.1") == expected) }
        }
    }
}
