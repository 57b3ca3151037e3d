@testable import Understudy
@testable import UnderstudySessions

/// Sessions that two services share through a store, as two servers behind a load balancer do.
struct SharedSessionTests {
    let clock = ManualClock()
    let sessions = FaultySessions()
    let log = LogCapture()

    func service(
        _ pages: [Page]? = nil,
        mode: SessionMode = .database,
        configure: ServiceChange = { _ in }
    ) -> UnderstudyService {
        UnderstudyService(pages: pages ?? Page.bundled(clock) + [CountingController.page], logger: log.logger) {
            ($0.clock, $0.sessionStore, $0.sessionMode) = (clock, sessions, mode)
            configure(&$0)
        }
    }

    /// Another client of the same session.
    func client(of service: UnderstudyService, like other: TestClient) -> TestClient {
        TestClient(service, cookie: other.cookie, token: other.token)
    }

    @Test func `the first calls of an agent on two servers at once begin one session`() async throws {
        let services = (1...2).map { _ in
            service([CountingController.page]) {
                $0.servesAgents = true
                $0.findAgent = { Agent(id: $0, user: User(username: "lisa", id: "1"), mayChange: true) }
            }
        }
        let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"counter_count"}}"#
        for number in 1...10 {
            try await concurrently(16) { index in
                let request = Request.json("/mcp", message, ["Authorization": "Bearer agent-\(number)"])
                var answer = await services[index % 2].send(request)
                // An event is repeated only three times when the other server changes the session.
                while try answer["code"] == "overloaded" { answer = await services[index % 2].send(request) }
                #expect(answer.status == 200, "\(answer.text)")
            }
            #expect(try await sessions.all.count == number)
        }
    }

    @Test(arguments: [
        (#"{"commands":[],"responses":[]}"#, #""sequence":9223372036854775807"#, "content"),
        (#"{"commands":[],"responses":[]}"#, #""sequence":-1"#, "content"),
        (
            #"{"commands":[{"sequence":9223372036854775807,"page":"counter","command":{"goToPage":{"name":"a","values":{}}}}],"responses":[]}"#,
            #""sequence":2"#, "session_event.content"
        ),
        ("no JSON", #""sequence":2"#, "session_event.content"),
    ])
    func `a damaged session leaves the database, and others continue`(_ damage: (String, String, String)) async throws {
        let (batman, guest) = (TestClient(service()), TestClient(service()))
        try await batman.post("/counter")
        let states = try await sessions.all
        try await guest.post("/counter")
        for state in states {
            let change = SessionChange(
                session: state.with(text: state.text.replacing(#""sequence":2"#, with: damage.1)),
                version: state.version,
                token: [1],
                event: damage.0.bytes,
                oldestEvent: state.version + 1
            )
            #expect(try await sessions.commit(change, with: []) == .committed)
        }
        let later = client(of: service(), like: batman)
        try await expect(later.post("/counter"), 401)
        #expect(try await later.post("/counter").status != 401)
        #expect(try await client(of: service(), like: guest).post("/counter")["sequence"] == 4)
        #expect(try await sessions.all.count == 2)
        let line = log.lines.first { $0.message == "A session cannot be restored" }
        #expect(line?["error"]?.hasPrefix("the column '\(damage.2)' is damaged: ") == true)
    }

    @Test(arguments: [0, -1, .max] as [Int])
    func `a damaged number of commits or of an event is found`(_ version: Int) throws {
        var session = StoredSession(
            id: [UInt8](repeating: 1, count: 16),
            user: nil,
            created: clock.now,
            lastUsed: clock.now,
            content: []
        )
        session.version = version
        #expect(throws: DamagedSession.self) { try session.check() }
        session.version = 2
        for second in [version, 1] {
            session.events = [StoredEvent(version: 1, content: []), StoredEvent(version: second, content: [])]
            #expect(throws: DamagedSession.self) { try session.check() }
        }
    }

    @Test(arguments: [false, true])
    func `a secret that was confirmed is stored no more, also in a response for a key`(hasKeys: Bool) async throws {
        let pages = Page.bundled(factors: FactorsSpy(), clock: clock) + Page.factors(FactorsSpy(), clock: clock)
        let client = try await TestClient.withToken(service(pages))
        try await client.logInWithPasskey()
        for event in ["createAppButtonPressed", "confirmAppButtonPressed&code=123456"] {
            let key = hasKeys ? event : nil
            let first = try await client.post("/factors", "event=\(event)", key: key)
            #expect(first.text.lowercased().contains("s3cr"))
            if hasKeys {
                let again = try await client.post("/factors", "event=\(event)", key: key)
                #expect(again.isReplayed && again.body == first.body)
            }
        }
        try await client.post("/factors", "event=recoveryCodesKeptButtonPressed")
        try await client.post("/register", "userID=1")
        for state in try await sessions.all {
            let stored = state.text + state.events.map(\.content.text).joined()
            #expect(stored.contains("factors"))
            #expect(!stored.lowercased().contains("s3cr"))
        }
        let history = try await self.client(of: service(pages), like: client).get("/session/history")
        #expect(history.text.contains("recoveryCodes") && !history.text.lowercased().contains("s3cr"))
    }

    @Test func `a login is not answered again after its session has ended on another server`() async throws {
        let service = service()
        let client = try await TestClient.withToken(service)
        let token = try await client.logIn(key: "a")["token"]?.string
        // The server has the session in memory.
        try await expect(TestClient(service, token: token).post("/counter"), 200)
        #expect(try await client.logIn(key: "a").isReplayed)
        try await expect(TestClient(self.service(), token: token).delete("/session"), 204)
        try await expect(client.logIn(key: "a"), 401, "notAuthenticated")
    }

    @Test func `a server is alive but not ready while the store cannot be reached`() async throws {
        let client = TestClient(service())
        try await expect(client.get("/readyz"), 200)
        sessions.fails = true
        try await expect(client.get("/livez"), 200)
        try await expect(client.get("/readyz"), 503, "unavailable", ["part": "database"])
        sessions.fails = false
        try await expect(client.get("/readyz"), 200)
    }

    @Test func `with an unreliable clock, a server is not ready, and removes no sessions`() async throws {
        let clock = DoubtfulClock(clock)
        let service = service { $0.clock = clock }
        let client = TestClient(service)
        try await client.post("/counter")
        clock.isReliable = false
        clock.clock.advance(by: .seconds(24 * 3600))
        let answer = try await expect(client.get("/readyz"), 503, "unavailable")
        #expect(try answer["detail"]?.string?.contains("clock") == true)
        try await expect(client.get("/livez"), 200)
        service.removeExpiredSessions()
        await service.removeExpiredSharedSessions()
        #expect(service.liveSessions.count == 1)
        #expect(try await sessions.all.count == 1)
        clock.isReliable = true
        try await expect(client.get("/readyz"), 200)
        service.removeExpiredSessions()
        await service.removeExpiredSharedSessions()
        #expect(service.liveSessions.count == 0)
        #expect(try await sessions.all.isEmpty)
    }

    @Test func `a failed event is stored for its key, and changes nothing else`() async throws {
        let pages = [FailingController.page(Outage()), CountingController.page]
        let first = TestClient(service(pages))
        try await first.post("/counter")
        try await expect(first.post("/failing", key: "k"), 500)
        let second = client(of: service(pages), like: first)
        #expect(try await second.post("/failing", key: "k").isReplayed)
        #expect(try await second.get("/session/history")["sequence"] == 2)
    }

    /// Whether a request uses the session before it is saved for the second time.
    @Test(arguments: [false, true])
    func `a session continues in the other mode`(isUsed: Bool) async throws {
        let memory = service(mode: .memory)
        let first = TestClient(memory)
        for key in ["a", "b"] { try await first.post("/counter", key: key) }
        try await memory.saveSessions()
        for server in [service(), service()] {
            let client = client(of: server, like: first)
            #expect(try await client.post("/counter", key: "a").isReplayed)
            try await client.post("/counter")
        }
        let second = service(mode: .memory)
        try await second.restoreSessions()
        if isUsed { _ = try await client(of: second, like: first).get("/counter") }
        try await second.saveSessions()
        let later = client(of: service(), like: first)
        #expect(try await later.post("/counter", key: "b").isReplayed)
        #expect(try await later.get("/session/history").commands.map { $0["sequence"]?.integer } == Array(1...8))
    }

    @Test func `what a user leaves behind at a logout is removed from the store`() async throws {
        let first = TestClient(service())
        try await first.logIn()
        for _ in 1...3 { try await first.post("/counter", key: UUID().uuidString) }
        try await first.post("/home", "event=logoutButtonPressed")
        let stored = try #require(await sessions.all.first)
        #expect(try await sessions.all.count == 1)
        #expect(stored.events.count == 1)
        #expect(!stored.text.contains("counter"))
    }

    @Test func `a session keeps a limited number of events without commands`() async throws {
        let page = Page("payment") { _ in ActingController { _ in } }
        let client = TestClient(service([page, CountingController.page]))
        try await client.post("/counter")
        for _ in 0...SharedVersion.maximumEvents { try await client.post("/payment") }
        let stored = try #require(await sessions.all.first)
        #expect(stored.version == SharedVersion.maximumEvents + 2)
        #expect(stored.events.count <= SharedVersion.maximumEvents)
        let later = try await self.client(of: service([page, CountingController.page]), like: client).post("/counter")
        #expect(try later["sequence"] == 4)
    }

    @Test func `work that must not be repeated runs once if its event runs again`() async throws {
        let calls = LockedValue(0)
        let page = Page("once") { _ in
            ActingController { controller in
                let result: Int? = try await UnitOfWork.once("act", []) {
                    calls.change { $0 += 1 }
                    return 1
                }
                controller.render(Output<Int>("done"), result ?? 0)
            }
        }
        let client = TestClient(service([page, CountingController.page]))
        try await client.post("/counter")
        sessions.conflicts = 2
        let answer = try await client.post("/once")
        #expect(try answer["sequence"] == 3)
        #expect(try answer.shown == [1])
        #expect(calls.value == 1)
        sessions.conflicts = 10
        #expect(try await client.post("/once").code == "overloaded")
    }
}

extension SharedSessionTests {
    /// A request that waits on a server for commands of a session after the second one, and a client of the session on another server.
    func waiting(on one: UnderstudyService) async throws -> (Task<Answer, any Error>, TestClient) {
        let first = TestClient(one)
        try await first.post("/counter")
        let cookie = first.cookie
        let task = Task { try await TestClient(one, cookie: cookie).get("/session/history?since=2&wait=50") }
        #expect(try await eventually { !one.waitingRequests.sessions.isEmpty })
        return (task, client(of: service(), like: first))
    }

    @Test func `a request that waits receives the commands of an event on another server`() async throws {
        let one = service()
        let (waiting, second) = try await waiting(on: one)
        await one.refreshWatchedSessions()
        #expect(one.waitingRequests.sessions.count == 1)
        try await second.post("/counter")
        await one.refreshWatchedSessions()
        #expect(try await waiting.value.commands.map { $0["sequence"] } == [3, 4])
        #expect(one.waitingRequests.sessions.isEmpty)
    }

    @Test func `a request that waits on one server ends when another one ends its session`() async throws {
        let one = service()
        let (waiting, second) = try await waiting(on: one)
        try await expect(second.delete("/session"), 204)
        sessions.fails = true
        await one.refreshWatchedSessions()
        #expect(one.waitingRequests.sessions.count == 1)
        sessions.fails = false
        await one.refreshWatchedSessions()
        try await expect(waiting.value, 401)
    }

    @Test func `a collaborator receives the same key whenever an event runs again`() async throws {
        let keys = LockedValue<[String?]>([])
        let page = Page("payment") { context in
            ActingController { _ in keys.change { $0.append(context.identity.client.idempotencyKey) } }
        }
        let first = TestClient(service([page]))
        try await first.post("/payment")
        sessions.conflicts = 1
        try await first.post("/payment", key: "a")
        sessions.fails = true
        try await first.get("/payment")
        sessions.fails = false
        try await first.post("/payment", key: "b")
        try await first.post("/payment")
        let used = keys.value.compactMap(\.self)
        #expect(used.count == 5)
        #expect(used.allSatisfy { $0.count == 32 })
        #expect(used[1] == used[2])
        #expect(Set(used).count == 4)
    }
}

/// A clock that can be unreliable.
private final class DoubtfulClock: WallClock {
    let clock: ManualClock
    let reliability = LockedValue(true)

    init(_ clock: ManualClock) {
        self.clock = clock
    }

    var now: Timestamp { clock.now }
    var steady: Timestamp { clock.steady }

    var isReliable: Bool {
        get { reliability.value }
        set { reliability.value = newValue }
    }
}
