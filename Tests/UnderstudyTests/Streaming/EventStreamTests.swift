@testable import Understudy
@testable import UnderstudyPages

/// Events whose client asks for a stream, over sockets.
@Suite(.fiveMinutes) struct EventStreamTests {
    let latch = Latch()
    let log = LogCapture()

    func service(_ pages: [Page], configure: ServiceChange = { _ in }) -> UnderstudyService {
        UnderstudyService(pages: pages, logger: log.logger) {
            $0.accessLogger = log.logger
            configure(&$0)
        }
    }

    /// Connects a client to a server, perhaps with a session.
    func withStream<Result>(
        _ service: UnderstudyService? = nil,
        hasSession: Bool = false,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ test: (StreamClient) async throws -> Result
    ) async throws -> Result {
        try await withServer(service ?? self.service([page]), configure: configure) { port in
            try await test(hasSession ? .withSession(port: port) : StreamClient(port: port))
        }
    }

    /// Sends an event, and opens the latch as soon as that text has arrived.
    func receive(
        _ client: StreamClient,
        after text: String = "id: 1\n",
        others: OptionalFields = []
    ) async throws -> (response: TestResponse, events: [StreamedEvent]) {
        try await client.send("/staged", others: others)
        try await client.waitFor(text)
        latch.open()
        return try await client.receive()
    }

    /// A page whose event renders, waits, and renders again.
    var page: Page { StagedController.page([.render("a", 1), .wait(latch), .render("b", 2)]) }

    static let commandA = #"{"sequence":1,"page":"staged","command":"render","key":"a","value":1}"#
    static let commandB = #"{"sequence":2,"page":"staged","command":"render","key":"b","value":2}"#
    static let last = [
        StreamedEvent(name: "command", id: "2", data: commandB),
        StreamedEvent(name: "answer", data: #"{"sequence":2,"ok":true,"commands":[\#(commandA),\#(commandB)]}"#),
    ]

    // MARK: Commands

    @Test func `"loading" arrives before the products`() async throws {
        let repository = SuspendedRepository()
        try await withStream(service(Page.bundled(repository: repository))) { client in
            try await client.send("/products")
            try await client.waitFor(#""key":"loading","value":true}"#)
            await repository.answerNext(with: .success([.car]))
            let (response, events) = try await client.receive()
            expect(response, 200)
            #expect(response.header("Content-Type") == "text/event-stream")
            expect(response, has: ["Cache-Control": "no-store", "X-Accel-Buffering": "no"])
            #expect(response.header("Set-Cookie")?.hasPrefix("session=") == true)
            #expect(response.header("X-Request-ID") != nil)
            #expect(events.map(\.name) == ["command", "command", "command", "command", "answer"])
            #expect(events.map(\.id) == ["1", "2", "3", "4", nil])
            let commands = try events.dropLast().map { try $0.json }
            #expect(try events.last?.json["commands"]?.array == commands)
        }
    }

    @Test func `the answer is the response without a stream`() async throws {
        latch.open()
        let service = service([page])
        try await withStream(service) { client in
            let events = try await client.send("/staged").receive().events
            let plain = try await TestClient(service).post("/staged", "{}")
            #expect(events.last?.data == plain.text.dropLast().description)
            #expect(events == [StreamedEvent(name: "command", id: "1", data: Self.commandA)] + Self.last)
        }
    }

    @Test func `commands are in the language of the request`() async throws {
        try await withStream(service(Page.demo()) { $0.translations = Translations.bundled }) { client in
            try await client.send("/register", #"{"userID":"1"}"#, others: [("Accept-Language", "de")])
            let (response, events) = try await client.receive()
            #expect(response.header("Content-Language") == "de")
            #expect(events.dropLast().last?.data.contains("Eine Benutzernummer") == true)
        }
    }

    @Test func `with return=minimal, the stream contains no commands`() async throws {
        try await withStream(configure: { $0.keepAliveInterval = .milliseconds(100) }) { client in
            let minimal: (HeaderName, String?) = ("Prefer", "return=minimal")
            let (response, events) = try await receive(client, after: "\r\n:\n", others: [minimal])
            #expect(response.header("Preference-Applied") == "return=minimal")
            #expect(events.map(\.name) == ["answer"])
        }
    }

    @Test func `a command of 50 KB arrives before the answer`() async throws {
        let text = Value.string("\"\n\u{2028}".repeated(8_000))
        let small = StagedController.page(changesUser: false, [.render("a", text), .wait(latch), .render("b", text)])
        try await withStream(service([small], configure: { $0.sessions.maximumSize = 1 << 20 })) { client in
            let events = try await receive(client).events
            #expect(events.map(\.name) == ["command", "command", "answer"])
            #expect(try events.last?.json["commands"]?.array == events.dropLast().map { try $0.json })
            #expect(try events.first?.json["value"] == text)
        }
    }

    @Test func `a command above the buffer arrives with the answer`() async throws {
        let large = Value.string("a".repeated(100_000))
        let page = StagedController.page([.render("a", 1), .render("b", large), .render("c", 3), .wait(latch)])
        try await withStream(service([page], configure: { $0.sessions.maximumSize = 1 << 20 })) { client in
            let events = try await receive(client).events
            #expect(events.map(\.id) == ["1", nil])
            #expect(try events.last?.json["commands"]?.array?.count == 3)
        }
    }

    @Test func `a script of an allowed origin can read a stream`() async throws {
        let origins = try AllowedOrigins("https://app.example")
        try await withStream(service([page], configure: { $0.allowedOrigins = origins })) { client in
            let response = try await receive(client, others: [("Origin", "https://app.example")]).response
            #expect(response.header("Access-Control-Allow-Origin") == "https://app.example")
        }
    }

    // MARK: Problems

    @Test func `a problem before the first command has its own status`() async throws {
        let page = StagedController.page([.wait(latch), .fail(CollaboratorError.unavailable(retryAfter: .seconds(7)))])
        try await withStream(service([page])) { client in
            try await client.send("/staged")
            #expect(try await eventually { latch.arrivals.count == 1 })
            latch.open()
            let (response, _) = try await client.receive()
            expect(response, 503, has: ["Retry-After": "7", "Content-Type": "application/problem+json"])
            try await expect(client.send("/staged", #"{"event":"none"}"#).receive().response, 422)
        }
    }

    @Test func `a problem after commands ends the stream, and its commands are undone`() async throws {
        let error = CollaboratorError.unavailable(retryAfter: .seconds(7))
        let page = StagedController.page([.render("a", 1), .wait(latch), .fail(error)])
        try await withStream(service([page]), hasSession: true) { client in
            let (response, events) = try await receive(client)
            expect(response, 200)
            #expect(events.map(\.name) == ["command", "problem"])
            #expect(events.last?.retry == "7000")
            #expect(try events.last?.json["code"] == "unavailable")
            try await client.send("/staged", nil, accept: "*/*")
            #expect(try await client.connection.receive()["rendered"] == [:])
            // One entry, with the status of the problem.
            let entries = log.lines.filter { $0["page"] == "staged" && $0["method"] == "POST" }
            #expect(entries.map { $0["status"] } == ["503"])
        }
    }

    @Test func `an event that takes too long ends with a problem`() async throws {
        let service = service([page])
        try await withStream(service, hasSession: true, configure: { $0.responseTimeout = .seconds(5) }) { client in
            try await client.send("/staged", key: "k")
            let (_, events) = try await client.receive()
            #expect(events.map(\.name) == ["command", "problem"])
            #expect(try events.last?.json["code"] == "answerTimeout")
            latch.open()
            // In process there is no deadline: the request waits until the event has ended.
            let headers: Headers = [
                "Accept": "text/event-stream", "Idempotency-Key": "k", "Last-Event-ID": "1",
                "Authorization": "Bearer \(try #require(client.token))",
            ]
            let answer = await service.send(.json("/staged", "{}", headers))
            #expect(StreamedEvent.all(in: answer.text).map(\.id) == ["2", nil])
        }
    }

    // MARK: Resumption

    @Test func `a client that was cut off gets the rest of the same event`() async throws {
        try await withServer(service([page])) { port in
            let client = try await StreamClient.withSession(port: port)
            try await client.send("/staged", key: "k")
            try await client.waitFor("id: 1\n")
            await client.connection.abort()
            let again = try await StreamClient(port: port, token: client.token)
            // It waits, because the event is still running.
            try await again.send("/staged", key: "k", after: 1)
            latch.open()
            let (response, events) = try await again.receive()
            #expect(response.isReplayed)
            #expect(response.header("Content-Length") != nil)
            #expect(events == Self.last)
            #expect(latch.arrivals.count == 1)
            #expect(try await again.send("/staged", key: "k").receive().events.map(\.id) == ["1", "2", nil])
            #expect(try await again.send("/staged", key: "k", after: 2).receive().events.map(\.name) == ["answer"])
        }
    }

    @Test func `if the event runs afresh, its client learns it`() async throws {
        try await withStream(hasSession: true) { client in
            try await client.send("/staged", key: "k", after: 7)
            try await client.waitFor("event: restart\ndata: {}\n\nevent: command\nid: 1\n")
            latch.open()
            #expect(try await client.receive().events.map(\.name) == ["restart", "command", "command", "answer"])
        }
    }

    @Test(arguments: ["-1", "+1", "a", "1.0", "4294967296"])
    func `an ID that is no number is rejected`(id: String) async throws {
        latch.open()
        let headers = Headers([("Accept", "text/event-stream"), ("Last-Event-ID", id)])
        try expect(await service([page]).send(Request(.post, "/staged", headers: headers)), 400, "invalidParameter")
    }

    // MARK: Pages that change the user

    @Test func `a login is sent at once, with the new cookie`() async throws {
        try await withStream(service(Page.demo())) { client in
            try await client.send("/login", #"{"username":"batman","password":"bruce"}"#)
            let (response, events) = try await client.receive()
            #expect(response.header("Content-Type") == "text/event-stream")
            #expect(response.header("Content-Length") != nil)
            #expect(events.map(\.name) == ["command", "answer"])
            let cookie = try #require(response.header("Set-Cookie")?.split(separator: ";").first)
            try await expect(client.connection.request("GET", "/session", headers: ["Cookie": String(cookie)]), 200)
        }
    }

    @Test(arguments: [true, false])
    func `a browser's event fails if its page changes the user against its declaration`(hasCookie: Bool) async throws {
        let page = StagedController.page(changesUser: false, [.render("a", 1), .wait(latch), .logIn])
        try await withStream(service([page]), hasSession: !hasCookie) { client async throws in
            #expect(try await receive(client).events.map(\.name) == ["command", hasCookie ? "problem" : "answer"])
            #expect(log.lines.contains { $0["error"]?.contains("changesUser: true") == true } == hasCookie)
        }
    }

    // MARK: Clients that do not read, or disconnect

    @Test func `a client that does not read delays no other client, and its event ends`() async throws {
        let text = Value.string("a".repeated(10_000))
        let many = (1...2000).map { StagedController.Step.render("a", Value($0)) }
        let page = StagedController.page([.render("a", text), .wait(latch)] + many + [.render("b", text)])
        try await withServer(service([page], configure: { $0.sessions.maximumSize = 4 << 20 })) { port in
            let slow = try await StreamClient.withSession(port: port)
            try await slow.send("/staged", key: "k")
            #expect(try await eventually { latch.arrivals.count == 1 })
            let other = try await StreamClient(port: port, token: slow.token)
            latch.open()
            // The other client's request waits for the event, and not for its client.
            try await expect(other.send("/staged", key: "k", accept: "*/*").receive().response, 200)
            let (_, events) = try await slow.receive()
            #expect(events.last?.name == "answer")
            // The buffer was full before the end.
            #expect(events.count < 2000)
        }
    }

    @Test func `over TLS, a stream has Strict-Transport-Security`() {
        var head = Response(status: 200)
        ServedService(service([page]), isSecure: true).prepareStream(&head, of: Request(.post, "/staged"))
        #expect(head.header("Strict-Transport-Security") == "max-age=31536000")
    }

    // MARK: Sessions in a database

    let sessions = FaultySessions()

    func storing(_ page: Page) -> UnderstudyService {
        service([page]) { ($0.sessionStore, $0.sessionMode) = (sessions, .database) }
    }

    @Test func `after a conflict, earlier commands do not count for the client`() async throws {
        let page = StagedController.page(
            [.render("start", 0)],
            [.render("a", 1), .wait(latch)],
            [.render("b", 2), .wait(latch), .render("c", 3)]
        )
        try await withStream(storing(page), hasSession: true) { client in
            _ = try await client.send("/staged").receive()
            sessions.conflicts = 1
            let events = try await receive(client, after: #""key":"a","value":1}"#).events
            #expect(events.map(\.name) == ["command", "restart", "command", "command", "answer"])
            #expect(events.map(\.id) == ["2", nil, "2", "3", nil])
            #expect(try events.last?.json["commands"]?.array?.map { $0["key"] } == ["b", "c"])
        }
    }

    @Test func `after a session has ended on another server, its client receives no command`() async throws {
        let page = StagedController.page([.render("start", 0)], [.render("secret", 1), .wait(latch)])
        try await withStream(storing(page), hasSession: true) { client in
            _ = try await client.send("/staged").receive()
            try await expect(TestClient(storing(page), token: client.token).delete("/session"), 204)
            try await expect(client.send("/staged").receive().response, 401)
            #expect(latch.arrivals.count == 0)
        }
    }

    @Test func `the answer is sent after the event is stored`() async throws {
        let page = StagedController.page([.render("a", 1)], [.render("a", 2), .wait(latch)])
        try await withStream(storing(page), hasSession: true) { client in
            _ = try await client.send("/staged").receive()
            try await client.send("/staged")
            try await client.waitFor(#""key":"a","value":2}"#)
            sessions.fails = true
            latch.open()
            let (_, events) = try await client.receive()
            #expect(events.map(\.name) == ["command", "problem"])
            #expect(try events.last?.json["code"] == "unavailable")
        }
    }
}
