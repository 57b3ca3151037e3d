import AccountStoreSuite

@testable import Understudy

/// Sessions that one service saves and another one restores.
struct SavedSessionTests {
    let clock = ManualClock()
    let saved = FaultySessions()
    let log = LogCapture()
    let metrics = PrometheusRegistry(help: UnderstudyService.metricDescriptions)

    func service(_ pages: [Page]? = nil) -> UnderstudyService {
        UnderstudyService(pages: pages ?? Page.bundled(clock), logger: log.logger) {
            $0.clock = clock
            $0.sessionStore = saved
            $0.metrics = metrics
        }
    }

    /// Saves the sessions of a service, and restores them in another one.
    func restart(_ service: UnderstudyService, pages: [Page]? = nil) async throws -> UnderstudyService {
        try await service.saveSessions()
        return try await restored(pages)
    }

    /// A service that has restored the saved sessions.
    func restored(_ pages: [Page]? = nil) async throws -> UnderstudyService {
        let service = service(pages)
        try await service.restoreSessions()
        return service
    }

    @Test func `a user stays logged in, and a half-filled form stays filled`() async throws {
        let first = service()
        let (batman, guest) = (TestClient(first), TestClient(first))
        try await batman.logIn()
        try await guest.post("/signup", "event=nameChanged&name=Lisa")
        let before = try (await batman.get("/session").json, await guest.get("/signup").json)
        let second = try await restart(first)
        #expect(first.liveSessions.count == 0)
        #expect(try await TestClient(second, cookie: guest.cookie).get("/signup").json == before.1)
        #expect(try await TestClient(second, cookie: batman.cookie).get("/session").json == before.0)
        #expect(try await saved.take(limit: 10).isEmpty)
        let messages = log.lines.map(\.message).filter { $0.hasPrefix("Sessions") }
        #expect(messages == ["Sessions saved", "Sessions restored"])
    }

    @Test func `sessions may be saved until the deadline of the stop, and for some seconds`() async throws {
        let now = ContinuousClock.now
        let deadline = now + .seconds(1_000)
        for end in [deadline, now] {
            let service = service()
            try await TestClient(service).logIn()
            try await service.saveSessions(until: end)
            if end == deadline { #expect(saved.deadline == deadline) }
        }
        #expect(try #require(saved.deadline) >= now + .seconds(5))
        #expect(try #require(saved.deadline) < deadline)
    }

    @Test func `a login's response with a token is repeated, and the store contains no token`() async throws {
        let first = service()
        let before = try await TestClient.withToken(first).logIn(key: "a")
        let token = try #require(try before["token"]?.string)
        try await first.saveSessions()
        let stored = try await saved.take(limit: 10)
        let text = try #require(stored.first).text
        #expect(!text.contains(token))
        #expect(text.contains("batman"))
        try await saved.save(stored)
        let later = try await TestClient(restored(), token: token)
        let repeated = try await later.logIn(key: "a")
        #expect(try repeated.json == before.json)
        #expect(repeated.isReplayed)
        #expect(try await later.logIn("x", key: "a").code == "idempotencyKeyReused")
    }

    @Test func `a session from the future expires as if it had been used now`() async throws {
        let first = service()
        try await TestClient(first).post("/email", "email=a")
        clock.advance(by: .seconds(-3600))
        let second = try await restart(first)
        #expect(second.liveSessions.count == 1)
        clock.advance(by: .seconds(30 * 60))
        second.removeExpiredSessions()
        #expect(second.liveSessions.count == 0)
    }

    @Test(arguments: [-3600, 3600])
    func `sessions are saved with the times of a clock that has been set`(seconds: Int64) async throws {
        let first = service()
        try await TestClient(first).post("/email", "email=a")
        clock.set(by: .seconds(seconds))
        clock.advance(by: .seconds(60))
        try await first.saveSessions()
        let stored = try #require(await saved.take(limit: 1).first)
        #expect(stored.created == clock.now + .seconds(-60))
        #expect(stored.lastUsed == clock.now + .seconds(-60))
    }

    @Test(arguments: [
        (#""sequence":2,"page""#, #""sequence":9223372036854775807,"page""#, "content"),
        (#""sequence":2,"page""#, #""sequence":-1,"page""#, "content"),
        (#""sequence":1,"page""#, #""sequence":-9223372036854775808,"page""#, "content"),
        (#""sequence":2,"history""#, #""sequence":9007199254740993,"history""#, "content"),
        (#""user":{"#, #""user":{"id":"eve","#, "account_id"),
        (#"{"created""#, #"["created""#, "content"),
    ])
    func `a damaged session ends when it is used, and others continue`(_ damage: (String, String, String)) async throws
    {
        let first = service()
        let (batman, guest) = (TestClient(first), TestClient(first))
        try await batman.logIn()
        for _ in 0..<3 { try await batman.post("/email", "email=a") }
        try await guest.post("/email", "email=a")
        try await first.saveSessions()
        let damaged = try await saved.take(limit: 10).map { session in
            guard session.text.contains("batman") else { return session }
            #expect(session.text.contains(damage.0))
            return session.with(text: session.text.replacing(damage.0, with: damage.1))
        }
        try await saved.save(damaged)
        let second = try await restored()
        let batmanLater = TestClient(second, cookie: batman.cookie)
        try await expect(batmanLater.post("/email"), 401)
        try await expect(TestClient(second, cookie: guest.cookie).post("/email"), 200)
        #expect(second.liveSessions.count == 1)
        try await expect(batmanLater.post("/email", "email=b"), 200)
        #expect(try expectDamage(of: damage.2)["session"]?.count == 8)
    }

    /// The metadata of the line that reports a damaged column.
    @discardableResult
    func expectDamage(of column: String) throws -> [String: String] {
        let line = try #require(log.lines.first { $0.message == "A session cannot be restored" })
        #expect(line["error"]?.hasPrefix("the column '\(column)' is damaged: ") == true)
        return line.metadata
    }

    @Test(arguments: ["id", "created", "last_used"])
    func `a session with a damaged column is not restored`(_ column: String) async throws {
        let first = service()
        try await TestClient(first).post("/email", "email=a")
        try await first.saveSessions()
        let session = try #require(await saved.take(limit: 1).first)
        let never = Timestamp.ms(.max)
        try await saved.save([
            StoredSession(
                id: column == "id" ? [1, 2] : session.id,
                user: nil,
                created: column == "created" ? never : session.created,
                lastUsed: column == "last_used" ? never : session.lastUsed,
                content: session.content
            )
        ])
        #expect(try await restored().liveSessions.count == 0)
        try expectDamage(of: column)
    }

    @Test func `without a store, sessions stay in the service`() async throws {
        let service = UnderstudyService(pages: [CountingController.page])
        try await TestClient(service).post("/counter")
        try await service.saveSessions()
        try await service.restoreSessions()
        #expect(service.liveSessions.count == 1)
    }

    @Test func `sessions that no request has used are saved again as they were`() async throws {
        let first = service()
        try await TestClient(first).post("/email", "email=a")
        try await first.saveSessions()
        let stored = try await saved.take(limit: 10)
        try await saved.save(stored)
        try await restored().saveSessions()
        #expect(try await saved.take(limit: 10) == stored)
        #expect(stored.count == 1)
    }

    // MARK: States of other versions

    /// What the counter shows after three events, a restart with another version of it, and another event.
    func count(_ first: Page, then second: Page) async throws -> Value? {
        let others = [PhoneController.page, ProfileController.page]
        let before = service([first] + others)
        let client = TestClient(before)
        try await client.post("/phone", "phone=%2B1")
        for _ in 1...3 { try await client.post("/counter") }
        let later = TestClient(try await restart(before, pages: [second] + others), cookie: client.cookie)
        // Whatever happens to the state, the other pages keep theirs.
        #expect(try await later.post("/profile", "phone=%2B0").shown.first == "+1")
        return try await later.post("/counter").shown.first
    }

    @Test func `a state of an earlier version is converted, or gets another member`() async throws {
        #expect(try await count(Counter<Int>.page, then: Counter<SecondState>.page) == 4)
        #expect(try await count(Counter<SecondState>.page, then: Counter<ThirdState>.page) == 14)
        #expect(log.lines.allSatisfy { $0.level < .warning })
    }

    /// A type that forgot to raise its version, and one of a later version of the program.
    @Test(arguments: [
        (Counter<Int>.page, Counter<ForgottenState>.page), (Counter<SecondState>.page, Counter<Int>.page),
    ])
    func `a page whose state cannot be restored starts afresh`(first: Page, second: Page) async throws {
        #expect(try await count(first, then: second) == 1)
        expectDiscarded("A page starts afresh, because its state cannot be restored", "states", "page", "counter")
    }

    /// Expects a warning that names what starts afresh, and a count of one.
    func expectDiscarded(_ message: String, _ metric: String, _ kind: String, _ name: String) {
        let line = log.lines.first { $0.message == message }
        #expect(line?[kind] == name)
        #expect(line?.level == .warning)
        #expect(metrics.exposition().contains(#"understudy_\#(metric)_discarded_total{\#(kind)="\#(name)"} 1"#))
    }

    // MARK: Session values of other versions

    private func total(
        _ first: SessionValue<some Codable & Sendable>,
        then second: SessionValue<Total>
    ) async throws -> Value? {
        let before = service([Page("total") { Scripted(TotalController(total: $0[first])) }])
        let client = TestClient(before)
        try await client.post("/total")
        let pages = [Page("total") { Scripted(TotalController(total: $0[second])) }]
        return try await TestClient(restart(before, pages: pages), cookie: client.cookie).post("/total").shown.first
    }

    struct Amounts: Codable { var net = 5 }

    @Test func `a session value of an earlier version is converted, or gets another member`() async throws {
        let later = SessionValue("total", Total(net: 1, tax: 2))
        #expect(try await total(SessionValue("total", Amounts()), then: later) == ["net": 5, "tax": 2])
        #expect(log.lines.allSatisfy { $0.level < .warning })
        let second = SessionValue("total", Total(), version: 3) { saved, version in
            ["net": saved, "tax": Value(version)]
        }
        #expect(try await total(SessionValue("total", 7, version: 2), then: second) == ["net": 7, "tax": 2])
        #expect(try await total(SessionValue("total", 7), then: second) == ["net": 7, "tax": 1])
        let current = SessionValue("total", Total(net: 8, tax: 1), version: 3)
        #expect(try await total(current, then: second) == ["net": 8, "tax": 1])
    }

    @Test func `after a restart, only the page that gives a value of its session another type fails`() async throws {
        func pages(_ second: SessionValue<some Codable & Sendable>) -> [Page] {
            [
                Page("first") { Scripted(TotalController(total: $0[SessionValue("total", Total())])) },
                Page("second") { Scripted(TotalController(total: $0[second])) },
            ]
        }
        let before = service(pages(SessionValue("total", Total())))
        let client = TestClient(before)
        for path in ["/first", "/second"] { try await client.post(path) }
        let later = TestClient(try await restart(before, pages: pages(SessionValue("total", 7))), cookie: client.cookie)
        try await expect(later.post("/first"), 200)
        try await expect(later.post("/second"), 500)
    }

    @Test(arguments: ["broken", "later", "refused"])
    func `a session value that cannot be restored starts afresh`(kind: String) async throws {
        let plain = SessionValue("total", Total(net: 3))
        let refusing = SessionValue("total", Total(net: 3), version: 2) { _, _ in throw Outage() }
        let value =
            switch kind {
            case "broken": try await total(SessionValue("total", "many"), then: plain)
            case "later": try await total(SessionValue("total", Total(), version: 2), then: plain)
            default: try await total(SessionValue("total", Total()), then: refusing)
            }
        #expect(value == ["net": 3, "tax": 0])
        let message = "A session value starts afresh, because it cannot be restored"
        expectDiscarded(message, "session_values", "value", "total")
    }
}

private struct Total: Codable, Equatable {
    var net = 0
    var tax = 0
}

/// Shows a session value.
private struct TotalController<Content: Codable & Sendable>: Script {
    static var events: Events {
        [
            .default("shown", gives: [.renders(Output<Value>("total"))]) { controller in
                let value = controller.total.value
                controller.total.value = value
                controller.render(Output<Value>("total"), try decoded(from: json(value)))
            }
        ]
    }

    let total: Shared<Content>
}

private let counted = Output<Int>("count")

/// A controller that counts, whose state is of another type in each version of the program.
private final class Counter<State: CounterState>: BusinessLogicController {
    static var events: EventTable<Counter> {
        [
            .default("count", gives: [.renders(counted)]) {
                $0.state.count += 1
                $0.render(counted, $0.state.count + $0.state.bonus)
            }
        ]
    }

    static var stateVersion: Int { State.version }
    static var page: Page { Page("counter") { _ in Counter() } }

    weak var controllable: (any Controllable)?
    var state = State()

    static func migrateState(_ saved: Value, from version: Int) -> Value { ["count": saved] }
}

private protocol CounterState: Codable, Sendable {
    static var version: Int { get }
    var count: Int { get set }
    var bonus: Int { get }
    init()
}

extension CounterState {
    var bonus: Int { 0 }
}

extension Int: CounterState {
    fileprivate static var version: Int { 1 }

    fileprivate var count: Int {
        get { self }
        set { self = newValue }
    }
}

/// Another state than an `Int` with the same version.
private struct ForgottenState: CounterState {
    static let version = 1
    var count = 0
}

private struct SecondState: CounterState {
    static let version = 2
    var count = 0
}

private struct ThirdState: CounterState {
    static let version = 2
    var count = 0
    var bonus = 10
}

extension StoredSession {
    var text: String { content.text }

    /// The session with another content.
    func with(text: String) -> StoredSession {
        var session = self
        session.content = text.bytes
        return session
    }
}
