struct AccessLogTests {
    let capture = LogCapture()

    func service(level: Logger.Level = .trace) -> UnderstudyService {
        var logger = capture.logger
        logger.logLevel = level
        return UnderstudyService { $0.accessLogger = logger }
    }

    /// A member of the metadata of each line.
    func logged(_ member: String) -> [String?] { capture.lines.map { $0[member] } }

    @Test func `a request is logged as one line without what was posted`() async {
        let service = service()
        func post(_ path: String, _ body: String, cookie: String? = nil) async -> Answer {
            let headers = Headers(optional: [("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", cookie)])
            let address = IPAddress("192.0.2.7")
            return await service.send(
                Request(.post, path, headers: headers, body: body.bytes, id: "a", clientAddress: address)
            )
        }
        _ = await post("/login", "username=batman&password=canary")
        _ = await post("/login", "username=canary")
        let cookie = await post("/login", "username=batman&password=bruce").cookie
        _ = await post("/register", "userID=canary", cookie: cookie)
        #expect(logged("codes") == ["login.wrongCredentials", nil, nil, "registration.invalidUserID"])
        #expect(logged("field") == [nil, "password", nil, nil])
        #expect(logged("client") == ["192.0.2.7", "192.0.2.7", nil, "192.0.2.7"])
        #expect(logged("account") == [nil, nil, nil, User(username: "batman").brief])
        _ = await service.send(Request(.get, "/login?canary", id: "b"))
        _ = await service.send(Request(.get, "/nowhere?canary", id: "c"))
        let lines = capture.lines
        #expect(lines.allSatisfy { $0.level == .info })
        #expect(logged("status") == ["200", "422", "200", "200", "200", "404"])
        #expect(logged("code") == [nil, "missingField", nil, nil, nil, "unknownPage"])
        #expect(logged("method") == ["POST", "POST", "POST", "POST", "GET", "GET"])
        #expect(logged("page") == ["login", "login", "login", "register", "login", nil])
        let login = "loginButtonPressed"
        #expect(logged("event") == [login, login, login, "textFieldDidEndEditing", nil, nil])
        #expect(logged("path") == [nil, nil, nil, nil, nil, "/nowhere"])
        #expect(logged("request") == ["a", "a", "a", "a", "b", "c"])
        #expect(lines.allSatisfy { Double($0["duration"] ?? "") ?? -1 >= 0 })
        #expect(!lines.contains { "\($0)".contains("canary") })
    }

    @Test(arguments: ["username=batman&canary+password", #"{"username":"batman","canary password":""}"#])
    func `a name that is no field of the page is not logged: it may be a secret`(body: String) async throws {
        try await expect(TestClient(service()).post("/login", body), 422)
        let line = try #require(capture.lines.first)
        #expect(line["code"] == "unknownField")
        #expect(!"\(line)".contains("canary"))
    }

    @Test func `the code of a problem that a browser does not get is not logged`() async throws {
        let service = UnderstudyService {
            $0.accessLogger = capture.logger
            $0.browserPages = SecondAttempt()
        }
        for path in ["/login", "/nowhere"] { try await service.get(path) }
        #expect(logged("status") == ["200", "404"])
        #expect(logged("code") == [nil, "unknownPage"])
    }

    @Test func `a session is logged by eight digits that do not reveal its token`() async throws {
        let service = service()
        var cookies: [String] = []
        for client in [TestClient(service), TestClient(service)] {
            cookies.append(try #require(await client.post("/products").cookie))
            try await client.post("/products")
        }
        let sessions = capture.lines.compactMap { $0["session"] }
        #expect(sessions.count == 4)
        #expect(Set(sessions).count == 2)
        #expect(sessions.allSatisfy { session in session.count == 8 && !cookies.contains { $0.contains(session) } })
    }

    static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    static let span = "00f067aa0ba902b7"

    @Test(arguments: [
        ("00-\(trace)-\(span)-01", true), ("01-\(trace)-\(span)-01-more", true), ("00-\(trace)-\(span)-01-more", false),
        ("00-\(trace.uppercased())-\(span)-01", false), ("ff-\(trace)-\(span)-01", false),
        ("00-00000000000000000000000000000000-\(span)-01", false), ("00-\(trace)-0000000000000000-01", false),
        ("00-4bf9-\(span)-01", false), ("", false), ("x", false),
    ])
    func `the request's trace ID is logged`(header: String, isValid: Bool) async throws {
        _ = await service().respond(to: Request(.get, "/login", headers: ["traceparent": header]))
        #expect(logged("trace") == [isValid ? Self.trace : nil])
        #expect(logged("span") == [isValid ? Self.span : nil])
    }

    @Test func `the engine's rejections are logged, and health checks are not`() async throws {
        let service = service(level: .info)
        _ = service.reject(.malformedRequest("x"), of: Request(.get, "/", id: "a"))
        for path in ["/livez", "/readyz"] { try await service.get(path) }
        #expect(capture.lines.map(\.message) == ["Rejected"])
        #expect(logged("code") == ["malformedRequest"])
    }
}

/// Sends a request with a token that is invalid first, and then the browser's own.
private struct SecondAttempt: BrowserPages {
    let pathPrefix = PathPrefix()

    func responds(to request: Request, isEvent: Bool) -> Bool { true }

    func respond(to request: Request, service: (Request) async -> Response) async -> Response {
        let path = String(request.path)
        _ = await service(Request(.get, path, headers: ["Cookie": "session=0123456789abcdefghijklmnop"]))
        return await service(Request(.get, path))
    }

    func response(for problem: Response, to request: Request) -> Response { problem }
}
