struct UnderstudyServicePagesTests {
    static let others = [FormController.page, CountingController.page, SecretFailure.page]
    let service = UnderstudyService(pages: Page.bundled(ManualClock()) + others)
    let client: TestClient

    init() { client = TestClient(service) }

    // MARK: Kept values

    @Test func `each page keeps its values until they are replaced`() async throws {
        try await client.post("/form", "age=1&agrees=false&name=Lisa&pin=0")
        #expect(try await client.post("/form", #"{"age":2,"pin":"0"}"#).shown == [2, false, "Lisa"])
        // A value that came with one event is kept for another event.
        try await client.post("/form", #"{"event":"noted","values":{"note":null,"name":"Chris"}}"#)
        #expect(try await client.get("/form")["values"] == ["age": 2, "agrees": false, "name": "Chris", "note": .null])
        try await client.post("/email", "email=lisa@rules.com")
        #expect(try await client.post("/signup", "event=emailChanged").code == "missingField")
        #expect(try await client.get("/signup")["values"] == [:])
    }

    @Test func `secrets are discarded after their event`() async throws {
        let canary = "canary-7f3a"
        try await client.post("/login", "username=batman&password=\(canary)")
        #expect(try await client.post("/login", "username=batman").code == "missingField")
        try await client.post("/signup", "event=passwordChanged&password=\(canary)")
        try await client.post("/signup", "event=nameChanged&name=Lisa&password=\(canary)")
        #expect(try await client.post("/signup", "email=a")["field"] == "password")
        try await client.post("/signup", "email=a&password=\(canary)")
        try await client.post("/form", "age=x&pin=\(canary)")
        try await client.post("/form", "event=noted&note=a&pin=\(canary)")
        #expect(try await client.post("/form", "age=1&agrees=true&name=a")["field"] == "pin")
        for path in ["/login", "/signup", "/form", "/session/history"] {
            #expect(try await !expect(client.get(path), 200).text.contains(canary))
        }
    }

    @Test func `a secret is discarded even if its event fails`() async throws {
        try await client.post("/secretive", "event=look")
        try await expect(client.post("/secretive", "pin=0000"), 500)
        #expect(try await client.get("/secretive")["values"] == [:])
        #expect(try await client.post("/secretive", "{}").code == "missingField")
    }

    struct SecretFailure: Script {
        static let events: Events = [
            .default("fail", reads: Field<String>("pin", isSecret: true)) { _, _ in throw Outage() },
            .event("look") { _ in },
        ]
        static let page = Page("secretive", SecretFailure())
    }

    @Test func `an error of a controller that looks like one of the client's request gets 500, and is logged`()
        async throws
    {
        let log = LogCapture()
        let kinds: [(path: String, error: any Error & Sendable)] = [
            ("/field", EventError.missingField("name", fields: ["name"])), ("/cancelled", CancellationError()),
        ]
        let pages = kinds.map { kind in
            Page(String(kind.path.dropFirst())) { _ in ActingController { _ in throw kind.error } }
        }
        let client = TestClient(pages: pages, logger: log.logger)
        for path in kinds.map(\.path) { try await expect(client.post(path), 500, "internal") }
        #expect(
            log.lines.compactMap { $0.metadata["error"] } == [
                "the controller has thrown \(kinds[0].error)",
                "the controller has thrown a CancellationError, and its task is not cancelled",
            ]
        )
    }

    @Test func `a value that only the type of its field rejects is the client's error`() async throws {
        let client = TestClient(pages: [Page("even", Halving())])
        try await expect(client.post("/even", "number=4"), 200)
        try await expect(client.post("/even", "number=5"), 422, "wrongFieldType")
    }

    struct Halving: Script {
        struct Even: ScreenValue {
            static var valueSchema: ValueSchema { Int.valueSchema }
            let screenValue: Value
            init?(screenValue: Value) {
                guard screenValue.integer?.isMultiple(of: 2) == true else { return nil }
                self.screenValue = screenValue
            }
        }
        static let events: Events = [.default("halve", reads: Field<Even>("number")) { _, _ in }]
    }

    @Test func `pages that give a value of their session two types fail, and others go on`() async throws {
        let log = LogCapture()
        let (number, text) = (SessionValue("same", 1), SessionValue("same", "a"))
        func page<Content>(_ name: String, _ value: SessionValue<Content>) -> Page {
            Page(name) { context in
                let shared = context[value]
                return ActingController { _ in _ = shared.value }
            }
        }
        let client = TestClient(pages: [page("number", number), page("text", text)], logger: log.logger)
        try await expect(client.post("/number"), 200)
        try await expect(client.post("/text"), 500)
        try await expect(client.post("/text"), 500)
        try await expect(client.post("/number"), 200)
        #expect(
            Set(log.lines.compactMap { $0.metadata["error"] }) == [
                "the session value 'same' is declared with two types"
            ]
        )
    }

    @Test func `a command after the end of its event is dropped and logged`() async throws {
        final class Kept: @unchecked Sendable {
            // Sendable because the test waits for each event.
            var controller: ActingController?
        }
        let (kept, log) = (Kept(), LogCapture())
        let page = Page("late") { _ in
            ActingController { controller in
                kept.controller = controller
                controller.controllable?.goToPage("in time")
            }
        }
        let client = TestClient(pages: [page], logger: log.logger)
        try await client.post("/late")
        for key in ["a", "b"] { kept.controller?.controllable?.render(key, 1) }
        #expect(try await client.get("/late")["rendered"] == [:])
        let answer = try await client.post("/late")
        #expect(try answer.commands.count == 1)
        #expect(try answer["sequence"] == 2)
        #expect(
            log.lines.map(\.message).contains("A controller gave a command when it handled no event, which is dropped")
        )
    }

    // MARK: Rejected events

    @Test(arguments: [
        ("/login", #"{"event":"nothing","values":{"username":"joker"}}"#, "unknownEvent"),
        ("/login", #"{"username":"joker"}"#, "missingField"),
        ("/login", #"{"username":"joker","password":null}"#, "wrongFieldType"),
        ("/login", #"{"username":"joker","password":"b","pasword":"c"}"#, "unknownField"),
        ("/login", #"{"username":"joker","password":{}}"#, "malformedBody"),
        ("/login", #"{"username":"joker","password":"b""#, "malformedJSON"),
        ("/form", #"{"event":"signed","values":{"note":null,"name":"joker","pin":"0"}}"#, "wrongFieldType"),
    ])
    func `a rejected event changes nothing and does not count as an attempt`(path: String, body: String, code: String)
        async throws
    {
        // Without a session, it does not start one.
        let first = try await TestClient(service).post(path, body)
        #expect(try first.code == code)
        #expect(first.cookie == nil)
        try await client.post("/form", "event=noted&note=kept")
        for _ in 1...4 { try await client.logIn("joker") }
        func shown() async throws -> [Value] { try await [client.get(path).json, client.get("/session/history").json] }
        let before = try await shown()
        for _ in 1...3 {
            let rejected = try await client.post(path, body)
            #expect(try rejected.code == code)
            #expect(rejected.cookie == nil)
        }
        #expect(try await shown() == before)
        // Four failures; the three rejected events did not count.
        try await client.logIn()
        #expect(try await client.get("/login")["goToPage"] == ["name": "Home", "href": "/home"])
    }

    @Test func `a rejected event keeps the page's alert and destination`() async throws {
        let client = TestClient(pages: [StagedController.page([.alert(.signupSuccessful), .goToPage("elsewhere")])])
        try await client.post("/staged")
        let before = try await client.get("/staged").json
        #expect(before["alert"] != .null && before["goToPage"] != .null)
        for form in ["event=nothing", "a=1"] { try await expect(client.post("/staged", form), 422) }
        #expect(try await client.get("/staged").json == before)
    }

    @Test(
        arguments: [
            ("/email", "event=emailchanged", "events", ["viewDidLoad", "emailChanged", "saveButtonPressed"]),
            ("/login", "username=a", "fields", ["username", "password"]),
            ("/form", "event=noted&notes=a", "fields", ["age", "agrees", "name", "pin", "note"]),
        ] as [(String, String, String, Value)]
    )
    func `a rejection lists what is valid`(path: String, form: String, member: String, valid: Value) async throws {
        #expect(try await client.post(path, form)[member] == valid)
    }

    // MARK: Idempotency

    @Test func `a repeated idempotency key returns the first response of its session`() async throws {
        try await client.post("/counter")
        let first = try await client.post("/counter", "{}", key: "a")
        #expect(!first.isReplayed)
        for _ in 1...3 {
            let again = try await expect(client.post("/counter", "{}", key: "a"), 200)
            #expect(again.isReplayed)
            #expect(again.header("Content-Type") == "application/json")
            #expect(again.text == first.text)
        }
        #expect(try await client.post("/counter", "{}", key: "b")["sequence"] == 6)
        #expect(try await client.post("/counter", "{}", key: "a")["sequence"] == 4)
        #expect(try await client.get("/counter")["sequence"] == 6)
        let other = try await TestClient(service).post("/counter", "{}", key: "a")
        #expect(!other.isReplayed)
        #expect(try other["sequence"] == 2)
    }

    @Test func `a rejected event can be corrected under the same idempotency key`() async throws {
        try await client.post("/email", "email=a")
        for body in ["username=batman", "username=batman&password=b&x=y", "event=nothing"] {
            try await expect(client.post("/login", body, key: "a"), 422)
        }
        #expect(try await !expect(client.logIn(key: "a"), 200).isReplayed)
    }

    /// A service whose products an event waits for, and the header fields of a session.
    func suspended(
        configure: ServiceChange = { _ in }
    ) async throws -> (SuspendedRepository, UnderstudyService, Headers) {
        let repository = SuspendedRepository()
        let service = UnderstudyService(pages: Page.bundled(repository: repository), configure: configure)
        return (repository, service, ["Authorization": "Bearer \(try await service.newToken())"])
    }

    @Test(arguments: [
        ("a", true), ("a".repeated(255), true), ("~ !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}", true),
        ("", false), ("a".repeated(256), false), ("a\tb", false), ("é", false), ("a\u{7F}", false),
    ])
    func `an idempotency key has 1 to 255 characters of printable ASCII`(key: String, isValid: Bool) async throws {
        let first = try await client.post("/counter", "{}", key: key)
        #expect((client.cookie != nil) == isValid)
        if isValid {
            #expect(try await client.post("/counter", "{}", key: key).isReplayed)
        } else {
            try expect(first, 400, "invalidParameter")
        }
    }

    @Test func `an event that is sent twice at once with one key runs once`() async throws {
        let (repository, service, headers) = try await suspended()
        let request = Request(.post, "/products", headers: headers.adding(optional: [("Idempotency-Key", "a")]))
        let first = service.begin(request)
        await repository.waitUntilAsked()
        let others = (1...5).map { _ in service.begin(request) }
        await repository.answer(with: .success([.car]))
        expect(await first.value, 200)
        for other in others {
            #expect(await other.value.isReplayed)
            #expect(await other.value.body == first.value.body)
        }
        #expect(await repository.count == 1)
    }

    @Test func `a failed event does not run again for the same idempotency key`() async throws {
        let client = TestClient(pages: [FailingController.page(Outage())])
        try await client.post("/failing", "event=succeed")
        let first = try await expect(client.post("/failing", "{}", key: "a"), 500)
        let again = try await client.post("/failing", "{}", key: "a")
        expect(again, 500, has: ["Content-Type": "application/problem+json"])
        #expect(again.isReplayed)
        #expect(again.text == first.text)
        #expect(try await client.get("/failing")["rendered"] == ["runs": 0])
    }

    @Test(arguments: [CollaboratorError.outage(), CancellationError()] as [any Error & Sendable])
    func `an event that can be retried runs again under its idempotency key`(_ error: any Error & Sendable) async throws
    {
        let service = UnderstudyService(pages: [FailingController.page(error)])
        let client = TestClient(service)
        try await client.post("/failing", "event=succeed")
        for run in 1...3 {
            // Its task is cancelled, as by the server.
            let event = Task { [cookie = client.cookie] in
                if error is CancellationError { withUnsafeCurrentTask { $0?.cancel() } }
                return try await TestClient(service, cookie: cookie).post("/failing", "{}", key: "a")
            }
            #expect(try await !expect(event.value, 503).isReplayed)
            #expect(try await client.post("/failing", "event=succeed").shown.first == Value(run))
        }
    }

    // MARK: Concurrent events

    @Test func `200 concurrent events of one session have consecutive sequences`() async throws {
        try await withServer(service) { port in
            let token = try await SocketSender(port: port).newToken()
            let answers = try await concurrently(20) { _ in
                let client = TestClient(SocketSender(port: port), token: token)
                var texts: [String] = []
                for _ in 1...10 { texts.append(try await client.post("/counter").text) }
                return texts
            }
            let responses = (1...200).map { number in
                let commands = [("counting", 2 * number - 1), ("counted", 2 * number)].map { key, sequence in
                    #"{"sequence":\#(sequence),"page":"counter","command":"render","key":"\#(key)","value":\#(number)}"#
                }
                return #"{"sequence":\#(2 * number),"ok":true,"commands":[\#(commands.joined(separator: ","))]}"# + "\n"
            }
            #expect(answers.joined().sorted() == responses.sorted())
        }
    }

    @Test func `events above the maximum that may wait get 503, and do not run`() async throws {
        let (repository, service, headers) = try await suspended { $0.maximumWaitingEvents = 2 }
        let request = Request(.post, "/product", headers: headers)
        let running = service.begin(Request(.post, "/products", headers: headers))
        await repository.waitUntilAsked()
        let waiting = (1...2).map { _ in service.begin(request) }
        for request in [request, Request(.get, "/products", headers: headers)] {
            try expectOverloaded(await service.send(request))
        }
        await repository.answer(with: .success([]))
        expect(await running.value, 200)
        for task in waiting { #expect(try await task.value.code == "missingField") }
    }

    @Test func `an event whose wait for its session is cancelled gets 503`() async throws {
        let (repository, service, headers) = try await suspended()
        let request = Request(.post, "/products", headers: headers)
        let running = service.begin(request)
        await repository.waitUntilAsked()
        let waiting = service.begin(request)
        waiting.cancel()
        try expectOverloaded(await waiting.value)
        await repository.answer(with: .success([]))
        expect(await running.value, 200)
        #expect(await repository.count == 1)
    }

    func expectOverloaded(_ answer: Answer) throws {
        try expect(answer, 503, "overloaded", has: ["Retry-After": "1"])
    }
}
