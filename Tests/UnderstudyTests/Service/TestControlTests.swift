import Addresses
import BundledControllers
import BundledPages
import BusinessLogic
import HTTPMessages
import MicroHTTP
import RateLimiting
import SessionStorage
import Testing
import UnderstudyPages
import UnderstudyTesting

@testable import Understudy

/// The endpoints for tests on the port for operators, over a socket.
@Suite struct TestControlTests {
    private let clock = AdvanceableClock(ManualClock())
    private let restored = LockedValue(0)

    private func service(
        repository: any Repository = ProductsRepository.demo,
        _ configure: (inout ServiceConfiguration) -> Void = { _ in }
    ) -> UnderstudyService {
        var configuration = ServiceConfiguration()
        configuration.clock = clock
        configuration.isResettable = true
        configure(&configuration)
        let credentials = FixedCredentials(["batman": "bruce"])
        let pages = Page.bundled(credentials: credentials, repository: repository, clock: clock)
        return UnderstudyService(pages: pages, configuration: configuration)
    }

    /// Serves operators while `body` runs.
    private func withOperators(
        _ service: UnderstudyService,
        failure: (any Error)? = nil,
        maximumBody: Int = 1024,
        _ body: (SocketSender) async throws -> Void
    ) async throws {
        let responder = AdminResponder(
            service: service,
            exposition: { "" },
            testControl: TestControl(clock: clock) { [restored] in
                if let failure { throw failure }
                restored.change { $0 += 1 }
            }
        )
        try await withServer(responder) {
            $0.maximumBodySize = maximumBody
        } _: {
            try await body(SocketSender(port: $0))
        }
    }

    private func post(_ path: String, _ json: String, headers: [String: String] = [:]) -> Request {
        let fields = headers.merging(["Content-Type": "application/json"]) { $1 }
        return Request(.post, path, headers: Headers(named: fields.map { ($0, $1) }), body: Array(json.utf8))
    }

    private func advance(_ duration: String) -> Request {
        post("/test/clock", #"{"advance":"\#(duration)"}"#)
    }

    private let reset = Request(.post, "/test/reset")

    // MARK: The clock

    @Test func `the clock shows the time, and how far it was advanced`() async throws {
        try await withOperators(service()) { operators async throws in
            let start = #"{"now":"2023-11-14T22:13:20Z","advanced":0}"#
            let later = #"{"now":"2023-11-14T22:28:20.250Z","advanced":900250}"#
            try await expect(operators.send(Request(.get, "/test/clock")), is: start)
            #expect(try await operators.send(advance("15m")).status == 200)
            try await expect(operators.send(advance("250ms")), is: later)
            try await expect(operators.send(Request(.get, "/test/clock")), is: later)
            #expect(try await operators.send(Request(.head, "/test/clock")).status == 200)
            #expect(try await operators.send(reset).status == 204)
            try await expect(operators.send(Request(.get, "/test/clock")), is: start)
        }
    }

    @Test func `locked logins can be used again when the clock was advanced`() async throws {
        let service = service()
        let client = TestClient(service)
        func logIn(_ password: String) async throws -> Value? {
            try await client.post("/login", #"{"username":"batman","password":"\#(password)"}"#)["commands"]?.array?
                .first
        }
        try await withOperators(service) { operators async throws in
            for _ in 1...5 { _ = try await logIn("robin") }
            #expect(try await logIn("bruce")?["code"] == "login.tooManyAttempts")
            #expect(try await operators.send(advance("899s")).status == 200)
            #expect(try await logIn("bruce")?["code"] == "login.tooManyAttempts")
            #expect(try await operators.send(advance("1s")).status == 200)
            #expect(try await logIn("bruce")?["command"] == "goToPage")
        }
    }

    @Test(arguments: SessionMode.allCases)
    func `sessions expire when the clock is advanced`(mode: SessionMode) async throws {
        let service = service {
            $0.sessionMode = mode
            $0.sessionStore = MemorySessionStore()
        }
        let client = TestClient(service)
        try await withOperators(service) { operators async throws in
            try await client.post("/products")
            #expect(try await operators.send(advance("29m")).status == 200)
            #expect(try await client.get("/session/history").status == 200)
            #expect(try await operators.send(advance("30m")).status == 200)
            #expect(try await client.get("/session/history").status == 401)
        }
    }

    @Test func `limits on requests follow the clock, and a reset forgets the requests`() async throws {
        let service = service {
            $0.requests = Rate(1, per: .seconds(60))
            $0.limitsLoopback = true
        }
        let request = Request(.get, "/login", clientAddress: IPAddress("127.0.0.1"))
        try await withOperators(service) { operators async throws in
            #expect(await service.send(request).status == 200)
            #expect(await service.send(request).status == 429)
            #expect(try await operators.send(advance("1m")).status == 200)
            #expect(await service.send(request).status == 200)
            #expect(await service.send(request).status == 429)
            #expect(try await operators.send(reset).status == 204)
            #expect(await service.send(request).status == 200)
        }
    }

    // MARK: The reset

    @Test func `a reset restores the data and the sessions of the start, ends all others, and sets the clock back`()
        async throws
    {
        let store = MemorySessionStore()
        let former = service { $0.sessionStore = store }
        let old = TestClient(former)
        try await old.post("/signup", #"{"event":"nameChanged","values":{"name":"Lisa"}}"#)
        try await former.saveSessions()
        let saved = try await store.take(limit: 1)
        let service = service { $0.sessionStore = store }
        let (restarted, other) = (TestClient(service), TestClient(service))
        restarted.cookie = old.cookie
        try await store.save(saved)
        try await service.restoreSessions()
        try await withOperators(service) { operators async throws in
            try await restarted.post("/signup", #"{"event":"nameChanged","values":{"name":"Bart"}}"#)
            try await other.post("/products")
            #expect(try await operators.send(advance("10m")).status == 200)
            // What the reset of the data does with a file.
            try await store.save(saved)
            #expect(try await operators.send(reset).status == 204)
            #expect(restored.value == 1)
            #expect(clock.advanced == .zero)
            #expect(try await restarted.get("/signup")["values"] == ["name": "Lisa"])
            #expect(try await other.get("/session/history").status == 401)
        }
    }

    @Test func `an event that runs ends before the reset, and the next one begins after it`() async throws {
        let repository = SuspendedRepository()
        let service = service(repository: repository)
        let responder = ResettableResponder(responder: service, service: service)
        try await withServer(responder) { port async throws in
            try await withOperators(service) { operators async throws in
                async let products = SocketSender(port: port).send(Request(.post, "/products"))
                await repository.waitUntilAsked()
                async let answer = operators.send(reset)
                await repository.answer(with: .success([.car]))
                let client = TestClient(SocketSender(port: port))
                client.cookie = try await products.cookie
                #expect(client.cookie != nil)
                #expect(try await answer.status == 204)
                #expect(restored.value == 1)
                #expect(try await client.get("/session/history").status == 401)
            }
        }
    }

    @Test func `if the data cannot be reset, nothing changes`() async throws {
        let service = service()
        let client = TestClient(service)
        let failure = CollaboratorError.unavailable(retryAfter: .seconds(1), part: "accounts")
        try await withOperators(service, failure: failure) { operators async throws in
            try await client.post("/products")
            #expect(try await operators.send(advance("1m")).status == 200)
            let answer = try await operators.send(reset)
            #expect(answer.status == 503)
            #expect(try answer.code == "unavailable")
            #expect(try await client.get("/session/history").status == 200)
            #expect(clock.advanced == .seconds(60))
        }
    }

    // MARK: Requests that are rejected

    @Test(arguments: [
        ("/test/clock", "", 400, "malformedJSON"), ("/test/clock", "{", 400, "malformedJSON"),
        ("/test/clock", "{}", 400, "malformedBody"), ("/test/clock", "null", 400, "malformedBody"),
        ("/test/clock", #"["15m"]"#, 400, "malformedBody"), ("/test/clock", #"{"advance":900}"#, 400, "malformedBody"),
        ("/test/clock", #"{"advance":"-15m"}"#, 400, "malformedBody"),
        ("/test/clock", #"{"advance":"15 minutes"}"#, 400, "malformedBody"),
        ("/test/clock", #"{"advance":"3651d"}"#, 400, "malformedBody"),
        ("/test/clock", #"{"advance":"1000000000d"}"#, 400, "malformedBody"),
        ("/test/clock", #"{"advance":"15m","to":"x"}"#, 400, "malformedBody"),
        ("/test/clock", #"{"advance":"1s","advance":"2s"}"#, 400, "malformedJSON"),
        ("/test/reset", "", 400, "malformedJSON"), ("/test/reset", "null", 400, "malformedBody"),
        ("/test/reset", #"{"all":true}"#, 400, "malformedBody"),
        ("/test/reset", "{\"a\":\"" + String(repeating: "x", count: 1024) + "\"}", 413, "bodyTooLarge"),
    ])
    func `an invalid body changes nothing`(path: String, body: String, status: Int, code: String) async throws {
        try await withOperators(service()) { operators async throws in
            let answer = try await operators.send(post(path, body))
            #expect(answer.status == status)
            #expect(answer.header("Content-Type") == "application/problem+json")
            #expect(try answer.code == code)
            #expect(try answer["detail"]?.string?.isEmpty == false)
            #expect(clock.advanced == .zero)
            #expect(restored.value == 0)
        }
    }

    @Test(arguments: ["/test/clock", "/test/reset"])
    func `only JSON is accepted`(path: String) async throws {
        try await withOperators(service()) { operators async throws in
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
                for body in ["", #"{"advance":"1s"}"#] {
                    let request = Request(.post, path, headers: ["Content-Type": type], body: Array(body.utf8))
                    let answer = try await operators.send(request)
                    #expect(answer.status == 415, "\(type)")
                    #expect(try answer.code == "unsupportedMediaType")
                }
            }
            let untyped = Request(.post, path, body: Array(#"{"advance":"1s"}"#.utf8))
            #expect(try await operators.send(untyped).status == 415)
            #expect(clock.advanced == .zero)
            #expect(restored.value == 0)
        }
    }

    @Test func `an empty object and no body reset the server`() async throws {
        try await withOperators(service()) { operators async throws in
            #expect(try await operators.send(post("/test/reset", "{}")).status == 204)
            #expect(try await operators.send(reset).status == 204)
            #expect(restored.value == 2)
        }
    }

    @Test(
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ["Sec-Fetch-Site": "same-site", "Origin": "http://localhost:3000"],
            ["Origin": "http://localhost:3000"], ["Origin": "null"], ["Origin": "https://app.example"],
        ] as [[String: String]]
    )
    func `a page of another site cannot control the server, even if the service allows its origin`(
        headers: [String: String]
    )
        async throws
    {
        let origins = try AllowedOrigins("https://app.example")
        let service = service { $0.allowedOrigins = origins }
        try await withOperators(service) { operators async throws in
            for request in [
                post("/test/clock", #"{"advance":"1s"}"#, headers: headers),
                post("/test/reset", "{}", headers: headers),
                Request(.post, "/test/reset", headers: Headers(named: headers.map { ($0, $1) })),
            ] {
                let answer = try await operators.send(request)
                #expect(answer.status == 403)
                #expect(try answer.code == "crossSite")
            }
            #expect(clock.advanced == .zero)
            #expect(restored.value == 0)
        }
    }

    @Test func `another method gets 405, and another path 404`() async throws {
        try await withOperators(service()) { operators async throws in
            for (method, path, allow) in [
                (Method.delete, "/test/clock", "GET, HEAD, POST"), (.get, "/test/reset", "POST"),
                (.delete, "/test/reset", "POST"),
            ] {
                let answer = try await operators.send(Request(method, path))
                #expect(answer.status == 405)
                #expect(answer.header("Allow") == allow)
            }
            let unknown = try await operators.send(Request(.get, "/test/mail"))
            #expect(unknown.status == 404)
            #expect(unknown.text.contains("/test/clock, /test/reset"))
        }
    }

    @Test func `without the setting, there are no such endpoints`() async throws {
        try await withServer(AdminResponder(service: service(), exposition: { "" })) { port async throws in
            let operators = SocketSender(port: port)
            for path in ["/test/clock", "/test/reset"] {
                #expect(try await operators.send(Request(.get, path)).status == 404)
                let answer = try await operators.send(Request(.post, path))
                #expect(answer.status == 404)
                #expect(try answer["detail"] == "There are /metrics, /livez and /readyz here.")
            }
        }
    }
}

extension Headers {
    fileprivate init(named fields: [(name: String, value: String)]) {
        self.init(fields.compactMap { name, value in HeaderName(name).map { (name: $0, value: value) } })
    }
}
