@testable import Understudy

/// The endpoints for tests on the port for operators.
struct TestControlTests {
    let clock = AdvanceableClock(ManualClock())
    let restored = LockedValue(0)
    let restoredSaved = LockedValue(0)

    func service(
        repository: any Repository = ProductsRepository.demo,
        pages others: [Page] = [],
        _ configure: ServiceChange = { _ in }
    ) -> UnderstudyService {
        let pages = Page.bundled(credentials: FixedCredentials.demo, repository: repository, clock: clock)
        return UnderstudyService(pages: pages + others) {
            $0.clock = clock
            $0.isResettable = true
            configure(&$0)
        }
    }

    /// Operators of the service, and a client.
    func connect(
        to service: UnderstudyService? = nil,
        failure: (any Error)? = nil
    ) -> (operators: AdminResponder, client: TestClient) {
        let control = TestControl(
            clock: clock,
            start: SavedData { [restored] in
                if let failure { throw failure }
                restored.change { $0 += 1 }
            }
        ) { [restoredSaved] in
            if let failure { throw failure }
            return SavedData { restoredSaved.change { $0 += 1 } }
        }
        let service = service ?? self.service()
        return (AdminResponder(service: service, exposition: { "" }, testControl: control), TestClient(service))
    }

    fileprivate static func advance(_ duration: String) -> Request {
        .json("/test/clock", #"{"advance":"\#(duration)"}"#)
    }

    fileprivate static func save(_ state: String) -> Request { .json("/test/save", #"{"state":"\#(state)"}"#) }

    fileprivate static func reset(to state: String? = nil) -> Request {
        state.map { .json("/test/reset", #"{"state":"\#($0)"}"#) } ?? Request(.post, "/test/reset")
    }

    // MARK: The clock

    @Test func `the clock shows the time, and how far it was advanced`() async throws {
        let (operators, _) = connect()
        let start = #"{"now":"2027-03-01T09:30:00.123Z","advanced":0}"#
        let later = #"{"now":"2027-03-01T09:45:00.373Z","advanced":900250}"#
        try await expect(operators.get("/test/clock"), is: start)
        await operators.advance("15m")
        try expect(await operators.send(Self.advance("250ms")), is: later)
        try await expect(operators.get("/test/clock"), is: later)
        expect(await operators.send(Request(.head, "/test/clock")), 200)
        await operators.reset()
        try await expect(operators.get("/test/clock"), is: start)
    }

    @Test(arguments: SessionMode.allCases)
    func `sessions expire when the clock is advanced`(mode: SessionMode) async throws {
        let (operators, client) = connect(to: service { ($0.sessionMode, $0.sessionStore) = (mode, FaultySessions()) })
        try await client.post("/products")
        await operators.advance("29m")
        try await expect(client.get("/session/history"), 200)
        await operators.advance("30m")
        try await expect(client.get("/session/history"), 401)
    }

    @Test func `limits on requests follow the clock, and a reset forgets the requests`() async throws {
        let service = service {
            $0.requests = Rate(1, per: .seconds(60))
            $0.limitsLoopback = true
        }
        let request = Request(.get, "/login", clientAddress: IPAddress("127.0.0.1"))
        let (operators, _) = connect(to: service)
        expect(await service.send(request), 200)
        expect(await service.send(request), 429)
        await operators.advance("1m")
        expect(await service.send(request), 200)
        expect(await service.send(request), 429)
        // As without a body.
        expect(await operators.send(.json("/test/reset", "{}")), 204)
        expect(await service.send(request), 200)
    }

    // MARK: The reset

    @Test func `a reset restores the data, sessions and clock of the start`() async throws {
        let store = FaultySessions()
        let former = service { $0.sessionStore = store }
        let old = TestClient(former)
        try await old.post("/signup", "event=nameChanged&name=Lisa")
        try await former.saveSessions()
        let saved = try await store.take(limit: 1)
        let service = service { $0.sessionStore = store }
        let (restarted, other) = (TestClient(service), TestClient(service))
        restarted.cookie = old.cookie
        try await store.save(saved)
        try await service.restoreSessions()
        let (operators, _) = connect(to: service)
        try await restarted.post("/signup", "event=nameChanged&name=Bart")
        try await other.post("/products")
        await operators.advance("10m")
        // What the reset of the data does with a file.
        try await store.save(saved)
        await operators.reset()
        #expect(restored.value == 1)
        #expect(clock.advanced == .zero)
        #expect(try await restarted.get("/signup")["values"] == ["name": "Lisa"])
        try await expect(other.get("/session/history"), 401)
    }

    @Test func `a running event ends before the reset, and the next one begins after it`() async throws {
        let repository = SuspendedRepository()
        let service = service(repository: repository)
        try await withServer(ServedService(service, isSecure: false)) { port async throws in
            let (operators, _) = connect(to: service)
            async let products = SocketSender(port: port).send(Request(.post, "/products"))
            await repository.waitUntilAsked()
            // A reset is 503 if a busy machine has not ended the event after five seconds.
            async let isReset = eventually { await operators.send(Self.reset()).status == 204 }
            await repository.answer(with: .success([.car]))
            let client = try await TestClient(SocketSender(port: port), cookie: products.cookie)
            #expect(client.cookie != nil)
            #expect(try await isReset)
            #expect(restored.value == 1)
            try await expect(client.get("/session/history"), 401)
        }
    }

    @Test func `if the data cannot be reset or saved, nothing changes`() async throws {
        let (operators, client) = connect(failure: CollaboratorError.outage(of: "accounts"))
        try await client.post("/products")
        await operators.advance("1m")
        for request in [Self.reset(), Self.save("a")] { try expect(await operators.send(request), 503, "unavailable") }
        expect(await operators.send(Self.reset(to: "a")), 400)
        try await expect(client.get("/session/history"), 200)
        #expect(clock.advanced == .seconds(60))
    }

    // MARK: States

    @Test func `a reset to a state restores its sessions and clock, also twice`() async throws {
        let service = service()
        let other = TestClient(service)
        let (operators, client) = connect(to: service)
        await operators.advance("1h")
        try await client.post("/signup", "event=nameChanged&name=Lisa")
        await operators.save("lisa")
        for _ in 1...2 {
            try await client.post("/signup", "event=nameChanged&name=Bart")
            try await other.post("/products")
            await operators.advance("25m")
            await operators.reset(to: "lisa")
            #expect(clock.advanced == .seconds(3600))
            #expect(try await client.get("/signup")["values"] == ["name": "Lisa"])
            try await expect(other.get("/session/history"), 401)
        }
        #expect(restoredSaved.value == 2)
        #expect(restored.value == 0)
        await operators.reset()
        try await expect(client.get("/session/history"), 401)
        await operators.reset(to: "lisa")
        #expect(try await client.get("/signup")["values"] == ["name": "Lisa"])
    }

    @Test func `a session of a state has the token that it had then`() async throws {
        let (operators, client) = connect()
        try await client.post("/products")
        await operators.save("anonymous")
        let former = client.cookie
        try await client.logIn()
        #expect(client.cookie != former)
        await operators.save("loggedIn")
        await operators.reset(to: "anonymous")
        try await expect(client.get("/session/history"), 401)
        client.cookie = former
        #expect(try await client.get("/session")["user"] == nil)
        try await expect(client.get("/session/history"), 200)
    }

    @Test func `a reset to a state runs the hook for the end of other sessions`() async throws {
        let ended = LockedValue<[String]>([])
        let page = Page("key", onSessionEnd: { session in ended.append(session.key) }) { context in
            let key = context.sessionKey
            return ActingController { $0.render(Output<String>("key"), key) }
        }
        let service = service(pages: [page])
        let (first, second) = (TestClient(service), TestClient(service))
        let (operators, _) = connect(to: service)
        let key = try await first.post("/key").shown.first
        await operators.save("one")
        let other = try #require(await second.post("/key").shown.first?.string)
        await operators.reset(to: "one")
        await service.runSessionEndHooks()
        #expect(ended.value == [other])
        #expect(try await first.post("/key").shown.first == key)
    }

    @Test func `a state replaces the one with its name, and there are at most 16`() async throws {
        let (operators, _) = connect()
        let unknown = expect(await operators.send(Self.reset(to: "users-17")), 400)
        #expect(try unknown["detail"] == "There is no state 'users-17'. POST /test/save saves one.")
        for number in 1...16 { await operators.save("users-\(number)") }
        await operators.save("users-1")
        let answer = await operators.send(Self.save("users-17"))
        try expect(answer, 400, "malformedBody", ["pointer": "/state"])
        #expect(try answer["detail"]?.string?.contains("There are 16 states") == true)
        let missing = await operators.send(Self.reset(to: "users-17"))
        #expect(try missing["detail"]?.string?.contains("'users-1', 'users-10'") == true)
        #expect(restored.value == 0)
    }

    // MARK: Faults

    @Test(arguments: SessionMode.allCases)
    func `the next calls of a collaborator fail, also in a session that exists`(mode: SessionMode) async throws {
        let (operators, client) = connect(to: service { ($0.sessionMode, $0.sessionStore) = (mode, FaultySessions()) })
        try await client.post("/products")
        for (fails, status) in [("unavailable", 503), ("tooManyRequests", 429), ("error", 500)] {
            let fault = #"{"collaborator":"credentials","fails":"\#(fails)","times":2}"#
            let left = #"{"collaborator":"credentials","times":1,"fails":"\#(fails)"}"#
            expect(await operators.send(.json("/test/fault", fault)), 200)
            try await expect(client.logIn(), status)
            try await expect(operators.get("/test/fault"), is: #"{"faults":[\#(left)]}"#)
            try await expect(client.logIn(), status)
            try await expect(operators.get("/test/fault"), is: #"{"faults":[]}"#)
        }
        #expect(try await client.logIn()["ok"] == true)
    }

    @Test func `a recording contains a fault as the result of its collaborator`() async throws {
        let (operators, client) = connect(to: service { $0.isDevelopment = true })
        try await client.post("/products")
        let fault = #"{"collaborator":"credentials","fails":"tooManyRequests"}"#
        expect(await operators.send(.json("/test/fault", fault)), 200)
        try await expect(client.logIn(), 429)
        #expect(try await client.get("/session/recording").text.contains(#""code":"tooManyRequests""#))
    }

    @Test(arguments: [Request(.delete, "/test/fault"), Request(.post, "/test/reset")])
    func `the end of a fault ends its delays`(end: Request) async throws {
        let service = service()
        let (operators, _) = connect(to: service)
        let fault = #"{"collaborator":"credentials","delay":"1m"}"#
        try await expect(
            operators.send(.json("/test/fault", fault)),
            is: #"{"faults":[{"collaborator":"credentials","times":1,"delay":"60000ms"}]}"#
        )
        async let login = service.betweenResets { try await TestClient(service).logIn() }
        let faults = try #require(service.faults)
        #expect(try await eventually { faults.all.isEmpty })
        expect(await operators.send(.json("/test/fault", fault)), 200)
        // A reset is 503 if a busy machine has not verified the password after five seconds.
        #expect(try await eventually { await operators.send(end).status == 204 })
        #expect(try await login["ok"] == true)
        #expect(faults.all.isEmpty)
    }

    @Test func `at most 16 collaborators have a fault`() async throws {
        let (operators, _) = connect()
        for number in Array(1...16) + [16, 17] {
            let fault = #"{"collaborator":"c\#(number)","fails":"error"}"#
            let answer = await operators.send(.json("/test/fault", fault))
            expect(answer, number == 17 ? 400 : 200)
            #expect(try answer["pointer"] == (number == 17 ? "/collaborator" : nil))
        }
    }

    @Test func `a server that tests do not control logs no collaborators`() {
        #expect(UnderstudyService(pages: Page.demo()).newLog() == nil)
        #expect(service().newLog() != nil)
    }

    // MARK: Requests that are rejected

    func expectUnchanged() { #expect(clock.advanced == .zero && restored.value == 0) }

    static let long = "x".repeated(65)

    static func each(_ format: String, _ values: String...) -> [String] {
        values.map { format.replacing("_", with: $0) }
    }

    @Test(
        arguments: [
            ("/test/clock", nil, ["", "{", #"{"advance":"1s","advance":"2s"}"#]),
            ("/test/clock", "/advance", ["{}", "null", #"["15m"]"#, #"{"advance":"15m","to":"x"}"#]),
            ("/test/clock", "/advance", each(#"{"advance":_}"#, "900", #""-15m""#, #""15 minutes""#, #""3651d""#)),
            ("/test/clock", "/advance", each(#"{"advance":_}"#, #""1000000000d""#, #""15""#)),
            ("/test/reset", nil, [""]), ("/test/save", nil, [""]),
            ("/test/reset", "/state", ["null", #"{"all":true}"#] + each(#"{"state":_}"#, "1", #""x""#, #""""#)),
            ("/test/save", "/state", ["{}", #"{"state":"a","all":true}"#]),
            ("/test/save", "/state", each(#"{"state":_}"#, "null", #""""#, #""a b""#, "\"\(long)\"")),
            ("/test/fault", "", ["[]", #"{"collaborator":"a"}"#, #"{"collaborator":"a","fails":"error","seed":1}"#]),
            ("/test/fault", "/collaborator", ["{}"]),
            (
                "/test/fault", "/collaborator",
                each(#"{"collaborator":_,"fails":"error"}"#, "1", #""""#, #""clock""#, "\"\(long)\"")
            ),
            ("/test/fault", "/fails", each(#"{"collaborator":"a","fails":_}"#, #""sometimes""#, "null")),
            (
                "/test/fault", "/times",
                each(#"{"collaborator":"a","fails":"error","times":_}"#, "0", "1001", #""1""#, "null")
            ),
            ("/test/fault", "/delay", each(#"{"collaborator":"a","delay":_}"#, #""61s""#, "2")),
        ] as [(String, String?, [String])]
    )
    func `an invalid body changes nothing, and the problem points to the error`(
        path: String,
        pointer: String?,
        bodies: [String]
    ) async throws {
        let service = service()
        let (operators, _) = connect(to: service)
        for body in bodies {
            let answer = await operators.send(.json(path, body))
            try expect(answer, 400, pointer == nil ? "malformedJSON" : "malformedBody")
            #expect(try answer["pointer"]?.string == pointer, "\(body)")
            #expect(try answer["detail"]?.string?.isEmpty == false)
        }
        expectUnchanged()
        #expect(service.faults?.all.isEmpty == true)
    }

    @Test(arguments: ["/test/clock", "/test/reset", "/test/save", "/test/fault"])
    func `only JSON is accepted`(path: String) async throws {
        let (operators, _) = connect()
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", nil] {
            for body in ["", #"{"advance":"1s"}"#] where type != nil || !body.isEmpty {
                let headers = Headers(optional: [("Content-Type", type)])
                let request = Request(.post, path, headers: headers, body: body.bytes)
                try expect(await operators.send(request), 415, "unsupportedMediaType")
            }
        }
        expectUnchanged()
    }

    @Test(
        arguments: [["Sec-Fetch-Site": "same-site"], ["Origin": "null"], ["Origin": "https://app.example"]] as [Headers]
    )
    func `a page of another site cannot control the server, even if the service allows its origin`(headers: Headers)
        async throws
    {
        let headers = headers.adding(optional: [("Host", "localhost")])
        let origins = try AllowedOrigins("https://app.example")
        let (operators, _) = connect(to: service { $0.allowedOrigins = origins })
        for request in [
            .json("/test/clock", #"{"advance":"1s"}"#, headers), .json("/test/reset", "{}", headers),
            Request(.post, "/test/reset", headers: headers), .json("/test/save", #"{"state":"a"}"#, headers),
            .json("/test/fault", #"{"collaborator":"credentials","fails":"error"}"#, headers),
            Request(.delete, "/test/fault", headers: headers),
        ] { try expect(await operators.send(request), 403, "crossSite") }
        expectUnchanged()
    }

    @Test func `another method gets 405, and another path 404`() async throws {
        let (operators, _) = connect()
        for (method, path, allow) in [
            (Method.delete, "/test/clock", "GET, HEAD, POST"), (.get, "/test/reset", "POST"),
            (.delete, "/test/reset", "POST"), (.get, "/test/save", "POST"),
            ("PUT", "/test/fault", "GET, HEAD, POST, DELETE"),
        ] {
            expect(await operators.send(Request(method, path)), 405, has: ["Allow": allow])
        }
        let unknown = try await expect(operators.get("/test/nowhere"), 404)
        #expect(unknown.text.contains("/test/clock, /test/reset, /test/save, /test/mail, /test/fault"))
    }

    @Test func `without the setting, there are no such endpoints`() async throws {
        let operators = AdminResponder(service: service(), exposition: { "" })
        for path in TestControl.paths {
            try await expect(operators.get(path), 404)
            let answer = expect(await operators.send(Request(.post, path)), 404)
            #expect(try answer["detail"] == "There are /metrics, /livez and /readyz here.")
        }
        try expect(Answer(operators.reject(.bodyTooLarge(limit: 1024), of: Self.reset())), 413, "bodyTooLarge")
    }
}

extension AdminResponder {
    fileprivate func advance(_ duration: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        expect(await send(TestControlTests.advance(duration)), 200, sourceLocation: sourceLocation)
    }

    fileprivate func save(_ state: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        expect(await send(TestControlTests.save(state)), 204, sourceLocation: sourceLocation)
    }

    fileprivate func reset(to state: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) async {
        expect(await send(TestControlTests.reset(to: state)), 204, sourceLocation: sourceLocation)
    }
}
