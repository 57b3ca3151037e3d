struct PathPrefixTests {
    func service(
        _ pages: [Page] = Page.demo(),
        configure: ServiceChange = { _ in }
    ) -> UnderstudyService {
        UnderstudyService(pages: pages) {
            $0.pathPrefix = "/a/b"
            configure(&$0)
        }
    }

    @Test func `a prefix is a valid path`() {
        let valid = ["/a", "/a/b", "/a-b_c.d~e", "/A0/..."]
        let invalid = [
            "", "/", "a", "a/b", "/a/", "//a", "/a//b", "/.", "/a/..", "/a b", "/a?b", "/ä", "/%61", "/a\r\n",
        ]
        #expect((valid + invalid).compactMap { PathPrefix($0)?.description } == valid)
    }

    @Test func `files that browsers and apps look for are outside of the prefix`() async throws {
        let client = TestClient(service { $0.wellKnown = ["webauthn": ["origins": ["https://shop.example"]]] })
        let file = try await client.get("/.well-known/webauthn")
        expect(file, 200, has: ["Content-Type": "application/json"])
        #expect(file.text == "{\"origins\":[\"https://shop.example\"]}\n")
        try await expect(client.post("/.well-known/webauthn"), 405)
        for path in ["/.well-known/other", "/.well-known/", "/.well-known", "/a/b/.well-known/webauthn"] {
            try await expect(client.get(path), 404)
        }
    }

    @Test func `pages, sessions, rules and problems are under the prefix`() async throws {
        let client = TestClient(service())
        #expect(try await client.post("/a/b/login", "username=batman&password=joker")["sequence"] == 1)
        #expect(try await client.get("/a/b/login")["sequence"] == 1)
        #expect(try await client.get("/a/b/session/history?since=0")["sequence"] == 1)
        #expect(try await client.post("/a/b/validate", #"{"checks": []}"#)["results"] == [])
        let type = try #require(await client.post("/a/b/login", "username=batman")["type"]?.string)
        #expect(type == "/a/b/problems/missingField")
        #expect(try await client.get(type).text.hasPrefix("missingField (HTTP status 422)"))
        try await expect(client.delete("/a/b/session"), 204)
    }

    @Test(arguments: [
        "/login", "/session", "/openapi.yaml", "/problems/internal", "/a/login", "/a/bc/login", "/a/blogin",
    ])
    func `a path outside the prefix gets 404 with the right path`(path: String) async throws {
        let detail = "There is nothing at '\(path)'. All paths of this service begin with '/a/b/'."
        let type: Value = "/a/b/problems/unknownPage"
        try expect(await service().get(path), 404, "unknownPage", ["detail": .string(detail), "type": type])
    }

    @Test(arguments: ["/a/b", "/a/b/nowhere", "/a/b//login", "/a/b/a/b/login"])
    func `an unknown path under the prefix gets 404`(path: String) async throws {
        #expect(try await service().get(path).code == "unknownPage")
    }

    @Test(arguments: ["/livez", "/readyz", "/a/b/livez", "/a/b/readyz"])
    func `the health checks are available with and without the prefix`(path: String) async throws {
        let log = LogCapture()
        let service = service {
            $0.requests = Rate(1, per: .seconds(3600))
            $0.accessLogger = log.logger
        }
        for _ in 1...3 {
            #expect(await service.send(Request(.get, path, clientAddress: IPAddress("203.0.113.7"))).text == "ok\n")
        }
        #expect(log.lines.map(\.level) == [.debug, .debug, .debug])
    }

    @Test(arguments: [(false, "session", ""), (true, "__Secure-session", "; Secure")])
    func `the cookie's path is the prefix, and a secure cookie is bound to https`(
        isSecure: Bool,
        name: String,
        secure: String
    ) async throws {
        let client = TestClient(service { $0.isPublicAddressSecure = isSecure })
        let first = try await client.post("/a/b/products")
        let cookie = try #require(client.cookie)
        #expect(cookie.hasPrefix(name + "="))
        #expect(first.header("Set-Cookie") == "\(cookie); Path=/a/b; HttpOnly; SameSite=Lax\(secure)")
        #expect(try await client.post("/a/b/products")["sequence"] == 8)
        let gone = try await client.delete("/a/b/session")
        #expect(gone.header("Set-Cookie") == "\(name)=; Path=/a/b; HttpOnly; SameSite=Lax\(secure); Max-Age=0")
    }

    @Test func `a replayed problem has the same type URL`() async throws {
        let client = TestClient(service([CountingController.page, FailingController.page(Outage())]))
        try await client.post("/a/b/counter")
        let first = try await client.post("/a/b/failing", key: "1")
        let again = try await client.post("/a/b/failing", key: "1")
        #expect(again.isReplayed)
        for answer in [first, again] { #expect(try answer["type"] == "/a/b/problems/internal") }
    }
}
