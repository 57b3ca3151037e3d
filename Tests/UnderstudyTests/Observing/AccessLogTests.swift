import TestSupport

@testable import Understudy

@Suite struct AccessLogTests {
    private let capture = LogCapture()

    private func service(level: Logger.Level = .trace) -> UnderstudyService {
        var logger = capture.logger
        logger.logLevel = level
        return UnderstudyService(pages: Page.demo()) { $0.accessLogger = logger }
    }

    private let form: Headers = ["Content-Type": "application/x-www-form-urlencoded"]

    @Test func `a request is logged as one line without what was posted`() async throws {
        let service = service()
        for body in ["username=batman&password=canary", "username=canary"] {
            _ = await service.respond(to: Request(.post, "/login", headers: form, body: Array(body.utf8), id: "a"))
        }
        _ = await service.respond(to: Request(.get, "/login?canary", id: "b"))
        _ = await service.respond(to: Request(.get, "/nowhere?canary", id: "c"))
        let lines = capture.lines
        #expect(lines.map(\.level) == [.info, .info, .info, .info])
        #expect(lines.map { $0.metadata["status"] } == ["200", "422", "200", "404"])
        #expect(lines.map { $0.metadata["code"] } == [nil, "missingField", nil, "unknownPage"])
        #expect(lines.map { $0.metadata["method"] } == ["POST", "POST", "GET", "GET"])
        #expect(lines.map { $0.metadata["page"] } == ["login", "login", "login", nil])
        #expect(lines.map { $0.metadata["event"] } == ["loginButtonPressed", "loginButtonPressed", nil, nil])
        #expect(lines.map { $0.metadata["path"] } == [nil, nil, nil, "/nowhere"])
        #expect(lines.map { $0.metadata["request"] } == ["a", "a", "b", "c"])
        #expect(lines.allSatisfy { Double($0.metadata["duration"] ?? "") ?? -1 >= 0 })
        #expect(!lines.contains { "\($0)".contains("canary") })
    }

    @Test func `a line says why: the codes of messages, the field, the client and the account`() async throws {
        let service = service()
        let address = IPAddress("192.0.2.7")
        func post(_ path: String, _ body: String, cookie: String? = nil) async -> Answer {
            let type = "application/x-www-form-urlencoded"
            let headers = Headers(optional: [("Content-Type", type), ("Cookie", cookie)])
            let request = Request(.post, path, headers: headers, body: Array(body.utf8), clientAddress: address)
            return await service.send(request)
        }
        _ = await post("/login", "username=batman&password=canary")
        _ = await post("/login", "username=canary")
        let cookie = await post("/login", "username=batman&password=bruce").cookie
        _ = await post("/register", "userID=canary", cookie: cookie)
        let lines = capture.lines.map(\.metadata)
        #expect(lines.map { $0["codes"] } == ["login.wrongCredentials", nil, nil, "registration.invalidUserID"])
        #expect(lines.map { $0["field"] } == [nil, "password", nil, nil])
        #expect(lines.map { $0["client"] } == ["192.0.2.7", "192.0.2.7", nil, "192.0.2.7"])
        #expect(lines.map { $0["account"] } == [nil, nil, nil, User(username: "batman").brief])
        #expect(!lines.contains { "\($0)".contains("canary") })
    }

    @Test(arguments: ["username=batman&canary+password", #"{"username":"batman","canary password":""}"#])
    func `a name that is no field of the page is not logged: it may be a secret`(body: String) async throws {
        let headers: Headers = body.hasPrefix("{") ? ["Content-Type": "application/json"] : form
        let request = Request(.post, "/login", headers: headers, body: Array(body.utf8))
        #expect(await service().respond(to: request).status == 422)
        let line = try #require(capture.lines.first)
        #expect(line.metadata["code"] == "unknownField")
        #expect(!"\(line)".contains("canary"))
    }

    @Test func `the code of a problem that a browser does not get is not logged`() async {
        let service = UnderstudyService(pages: Page.demo()) {
            $0.accessLogger = capture.logger
            $0.browserPages = SecondAttempt()
        }
        for path in ["/login", "/nowhere"] { _ = await service.respond(to: Request(.get, path)) }
        #expect(capture.lines.map { $0.metadata["status"] } == ["200", "404"])
        #expect(capture.lines.map { $0.metadata["code"] } == [nil, "unknownPage"])
    }

    @Test func `a session is logged by eight digits that do not reveal its token`() async throws {
        let service = service()
        var cookies: [String] = []
        for client in [TestClient(service), TestClient(service)] {
            cookies.append(try #require(try await client.post("/products").cookie))
            try await client.post("/products")
        }
        let sessions = capture.lines.compactMap { $0.metadata["session"] }
        #expect(sessions.count == 4)
        #expect(Set(sessions).count == 2)
        #expect(sessions.allSatisfy { session in session.count == 8 && !cookies.contains { $0.contains(session) } })
    }

    @Test(arguments: [
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "4bf92f3577b34da6a3ce929d0e0e4736"),
        ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", "4bf92f3577b34da6a3ce929d0e0e4736"),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", nil),
        ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", nil),
        ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", nil),
        ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", nil),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", nil), ("00-4bf9-00f067aa0ba902b7-01", nil),
        ("", nil), ("x", nil),
    ])
    func `the request's trace ID is logged`(header: String, trace: String?) async throws {
        _ = await service().respond(to: Request(.get, "/login", headers: ["traceparent": header]))
        #expect(capture.lines.map { $0.metadata["trace"] } == [trace])
        #expect(capture.lines.map { $0.metadata["span"] } == [trace.map { _ in "00f067aa0ba902b7" }])
    }

    @Test func `the engine's rejections are logged, and health checks are not`() async {
        let service = service(level: .info)
        _ = service.reject(.malformedRequest("x"), of: Request(.get, "/", id: "a"))
        _ = await service.respond(to: Request(.get, "/livez"))
        _ = await service.respond(to: Request(.get, "/readyz"))
        #expect(capture.lines.map(\.message) == ["Rejected"])
        #expect(capture.lines.map { $0.metadata["code"] } == ["malformedRequest"])
    }
}

/// Sends a request with a token that is invalid first, and then the browser's own.
private struct SecondAttempt: BrowserPages {
    func responds(to request: Request, isEvent: Bool) -> Bool { true }

    func respond(to request: Request, service: (Request) async -> Response) async -> Response {
        let path = String(request.path)
        _ = await service(Request(.get, path, headers: ["Cookie": "session=0123456789abcdefghijklmnop"]))
        return await service(Request(.get, path))
    }

    func response(for problem: Response, to request: Request) -> Response { problem }
}
