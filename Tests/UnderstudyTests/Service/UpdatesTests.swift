@testable import Understudy

@Suite(.fiveMinutes) struct UpdatesTests {
    let store = SlotStore()
    let clock = ManualClock()
    let log = LogCapture()
    let service: UnderstudyService
    let client: TestClient

    init() {
        let page = SlotsController.page(store, clock: clock)
        let pages = [page, StagedController.page([.render("a", 1)]), Page("curious", CuriousController())]
        service = UnderstudyService(pages: pages, logger: log.logger) { [store] in $0.topics = store.topics }
        client = TestClient(service)
    }

    func command(_ sequence: Int, _ key: String, _ value: Value) -> Value {
        ["sequence": Value(sequence), "page": "slots", "command": "render", "key": .string(key), "value": value]
    }

    func choose(_ city: String) async throws { try await client.post("/slots", "city=\(city)") }

    @discardableResult
    func hold() async throws -> Answer { try await client.post("/slots", "event=holdButtonPressed") }

    @discardableResult
    func slots() async throws -> Answer { try await client.get("/slots") }

    /// All commands of the session.
    func history() async throws -> [Value]? { try await client.get("/session/history")["commands"]?.array }

    // MARK: When they run

    @Test func `an update runs before the next event, and is not in its response`() async throws {
        try await choose("Berlin")
        store.set(3, in: "Berlin")
        let held = command(3, "isHeld", true)
        #expect(try await hold()["commands"] == [held])
        #expect(try await history() == [command(1, "slots", 0), command(2, "slots", 3), held])
    }

    @Test func `several publications lead to one update`() async throws {
        try await choose("Berlin")
        for count in 1...9 { store.set(count, in: "Berlin") }
        store.set(7, in: "Rome")
        #expect(try await history() == [command(1, "slots", 0), command(2, "slots", 9)])
        store.set(8, in: "Rome")
        #expect(try await slots()["sequence"] == 2)
    }

    @Test func `the topics follow from the controller's state`() async throws {
        try await choose("Berlin")
        try await choose("Rome")
        store.set(3, in: "Berlin")
        #expect(try await slots()["sequence"] == 2)
        store.set(4, in: "Rome")
        #expect(try await slots()["rendered"] == ["slots": 4])
    }

    @Test func `what was published before the page's first event is no update, and a publication of everything is one`()
        async throws
    {
        store.set(3, in: "Berlin")
        try await choose("Berlin")
        #expect(try await history() == [command(1, "slots", 3)])
        store.topics.publishAll()
        for _ in 1...2 { #expect(try await slots()["sequence"] == 2) }
    }

    @Test func `a restored session has seen what it saw before`() async throws {
        try await choose("Berlin")
        try await hold()
        clock.advance(by: .seconds(120))
        #expect(try await slots()["sequence"] == 3)
        try service.restartSessions()
        #expect(try await slots()["sequence"] == 3)
        store.set(1, in: "Berlin")
        try service.restartSessions()
        #expect(try await slots()["rendered"] == ["slots": 1, "isHeld": false])
    }

    // MARK: What they are

    @Test func `no client can send an update`() async throws {
        let events: Value = ["cityChosen", "holdButtonPressed"]
        for event in ["slotsChanged", "holdExpired"] {
            try await expect(client.post("/slots", "event=\(event)"), 422, "unknownEvent", ["events": events])
        }
    }

    @Test(arguments: [CollaboratorError.outage(), CancellationError()] as [any Error & Sendable])
    func `a failed update changes nothing and runs again`(error: any Error & Sendable) async throws {
        try await choose("Berlin")
        store.fail(error)
        store.set(3, in: "Berlin")
        #expect(try await slots()["rendered"] == ["slots": 0])
        #expect(try await hold()["ok"] == true)
        store.fail(nil)
        #expect(try await slots()["rendered"] == ["slots": 3, "isHeld": true])
    }

    @Test func `an update cannot log a user in`() async throws {
        let page = Page("intruder") { Scripted(IntrudingController(identity: $0.identity)) }
        let log = LogCapture()
        let client = TestClient(pages: [page], logger: log.logger)
        try await client.post("/intruder")
        #expect(try await client.get("/intruder")["rendered"] == [:])
        try await expect(client.get("/session"), 401)
        #expect(log.lines.map(\.message) == ["An update failed, and runs again later"])
    }

    // MARK: Waiting

    @Test func `controllers that follow more topics than a session can are logged once`() async throws {
        try await client.post("/curious", "count=64")
        for sequence in 1...3 {
            _ = try await commands(after: sequence) {
                if sequence == 1 { #expect(log.lines.isEmpty) }
                try await client.post("/curious", "count=65")
            }
        }
        #expect(log.lines.map(\.metadata) == [["pages": "curious", "topics": "65", "maximum": "64"]])
    }

    @Test(arguments: ["wait=51", "wait=-1", "wait=x", "wait=", "since=-1&wait=1", "wait=+1"])
    func `wait is a whole number of seconds from 0 to 50`(query: String) async throws {
        try await client.post("/staged")
        try await expect(client.get("/session/history?\(query)"), 400, "invalidParameter")
    }

    @Test func `a request waits only if there are no commands, and for its duration`() async throws {
        try await client.post("/staged")
        #expect(try await client.get("/session/history?wait=50").commands.count == 1)
        #expect(try await client.get("/session/history?since=1&wait=1").json == ["sequence": 1, "commands": []])
    }

    @Test func `a publication, a timer, and another event of the session end a wait`() async throws {
        try await choose("Berlin")
        #expect(try await commands(after: 1) { store.set(3, in: "Berlin") } == [command(2, "slots", 3)])
        #expect(try await commands(after: 2) { try await hold() } == [command(3, "isHeld", true)])
        clock.advance(by: .milliseconds(119_900))
        #expect(try await commands(after: 3) { clock.advance(by: .milliseconds(100)) } == [command(4, "isHeld", false)])
    }

    /// The commands for which another tab waits, and which the change brings.
    func commands(after sequence: Int, of change: () async throws -> Void) async throws -> [Value] {
        let (service, cookie) = (service, client.cookie)
        let path = "/session/history?since=\(sequence)&wait=50"
        let waiting = Task { try await TestClient(service, cookie: cookie).get(path).commands }
        #expect(try await eventually { service.waitingRequests.count == 1 })
        // It waits for the session's lock, which the request may still have.
        try await slots()
        try await change()
        return try await waiting.value
    }
}

/// A controller whose timer logs a user in.
private struct IntrudingController: Script {
    static let events: Events = [
        .default("start") { _ in },
        .wake("intrude", at: { _ in Timestamp.ms(0) }) { $0.identity.user = User(username: "batman") },
    ]

    let identity: any Identity
}

/// Follows as many topics as the client chooses.
private struct CuriousController: Script {
    static let count = Field<Int>("count")
    static let chosen = Output<Int>("chosen")
    static let events: Events = [
        .default("countChosen", reads: count, gives: [.renders(chosen)]) {
            $0.state = $1
            $0.render(chosen, $1)
        },
        .update("changed", on: { (0..<$0.state).map { Topic("things", key: "\($0)") } }, gives: []) { _ in },
    ]
    static let initial = 0
}
