@testable import Understudy

/// Streams of a session's history, and requests that wait for it, over sockets.
@Suite(.fiveMinutes) struct HistoryStreamTests {
    let store = SlotStore()
    let clock = ManualClock()
    let service: UnderstudyService

    init() { service = Self.service(store, clock) }

    static func service(
        _ store: SlotStore,
        _ clock: ManualClock,
        configure: ServiceChange = { _ in }
    ) -> UnderstudyService {
        let silent = Page("silent") { _ in
            ActingController { _ in for await _ in AsyncStream<Never>.makeStream().stream {} }
        }
        return UnderstudyService(pages: [SlotsController.page(store, clock: clock), silent] + Page.bundled(clock)) {
            $0.topics = store.topics
            $0.clock = clock
            configure(&$0)
        }
    }

    /// A tab that follows the history of its session.
    func tab(_ port: UInt16, _ token: String, query: String = "", after id: Int? = nil) async throws -> StreamClient {
        let client = try await StreamClient(port: port, token: token)
        try await client.send("/session/history\(query)", nil, after: id)
        return client
    }

    /// A tab that has begun to wait.
    func waitingTab(_ port: UInt16, _ token: String, query: String = "") async throws -> StreamClient {
        let tab = try await self.tab(port, token, query: query)
        try await tab.waitFor(":\n")
        return tab
    }

    /// Serves a session.
    func withSession(_ test: (UInt16, String) async throws -> Void) async throws {
        try await withServer(service) { try await test($0, service.newToken()) }
    }

    /// Follows the slots of another city.
    @discardableResult
    func choose(_ city: String, _ token: String) async throws -> Answer {
        try await TestClient(service, token: token).post("/slots", "city=\(city)")
    }

    func expectWaiting(_ count: Int) async throws {
        #expect(try await eventually { service.waitingRequests.count == count })
    }

    func slots(_ sequence: Int, _ count: Int) -> StreamedEvent {
        StreamedEvent(
            name: "command",
            id: "\(sequence)",
            data: #"{"sequence":\#(sequence),"page":"slots","command":"render","key":"slots","value":\#(count)}"#
        )
    }

    // MARK: Commands

    @Test func `a stream has the commands of all events and updates`() async throws {
        try await withSession { port, token in
            try await choose("Berlin", token)
            let tab = try await self.tab(port, token)
            try await tab.waitFor("id: 1\n")
            store.set(3, in: "Berlin")
            try await tab.waitFor("id: 2\n")
            try await choose("Rome", token)
            try await tab.waitFor("id: 3\n")
            _ = try await TestClient(service, token: token).delete("/session")
            let (response, events) = try await tab.receive()
            expect(response, 200, has: ["Content-Type": "text/event-stream", "X-Accel-Buffering": "no"])
            #expect(events.dropLast() == [slots(1, 0), slots(2, 3), slots(3, 0)])
            #expect(events.last?.name == "problem")
            #expect(try events.last?.json["code"] == "notAuthenticated")
        }
        try await expectWaiting(0)
    }

    @Test func `a stream continues after the last event that its client has received`() async throws {
        try await withSession { port, token in
            for city in ["A", "B", "C"] { try await choose("\(city)", token) }
            let resumed = try await tab(port, token, query: "?since=0", after: 2)
            try await resumed.waitFor("id: 3\n")
            let later = try await waitingTab(port, token, query: "?since=3")
            service.startDraining()
            #expect(try await resumed.receive().events == [slots(3, 0)])
            #expect(try await later.receive().events == [])
        }
    }

    @Test(arguments: [4, 1 << 31])
    func `a client whose position is not in the history reads its pages again`(position: Int) async throws {
        try await withSession { port, token in
            for _ in 0..<300 { try await choose("A", token) }
            let tab = try await self.tab(port, token, after: position)
            try await tab.waitFor("historyGone")
            try await choose("B", token)
            try await tab.waitFor("id: 301\n")
            service.startDraining()
            #expect(
                try await tab.receive().events == [
                    StreamedEvent(name: "historyGone", id: "300", data: #"{"sequence":300}"#), slots(301, 0),
                ]
            )
        }
    }

    @Test func `a failed event sends nothing`() async throws {
        try await withSession { port, token in
            let tab = try await waitingTab(port, token)
            store.fail()
            try await expect(choose("Berlin", token), 503)
            store.fail(nil)
            try await choose("Berlin", token)
            try await tab.waitFor("id: 1\n")
            service.startDraining()
            #expect(try await tab.receive().events == [slots(1, 0)])
        }
    }

    @Test func `the last of publications in a row leads to an update, and one that fails runs again`() async throws {
        let service = Self.service(store, clock) { $0.updateDelayAfterFailure = .milliseconds(1) }
        try await withServer(service) { port in
            let token = try await service.newToken()
            try await TestClient(service, token: token).post("/slots", "city=Berlin")
            let tab = try await self.tab(port, token)
            for count in 1...2000 { store.set(count, in: "Berlin") }
            try await tab.waitFor("\"value\":2000}")
            store.fail()
            let reads = store.reads
            store.set(1, in: "Berlin")
            #expect(try await eventually { store.reads > reads })
            store.fail(nil)
            try await tab.waitFor("\"value\":1}")
        }
    }

    @Test(arguments: [false, true])
    func `no update runs before its time, however often its topic is published`(hasFailed: Bool) async throws {
        #expect(ServiceConfiguration().updatePace == .milliseconds(100))
        #expect(ServiceConfiguration().updateDelayAfterFailure == .seconds(5))
        let service = Self.service(store, clock) {
            $0.updatePace = hasFailed ? .zero : .seconds(600)
            $0.updateDelayAfterFailure = .seconds(600)
        }
        try await withServer(service) { port in
            let token = try await service.newToken()
            let client = TestClient(service, token: token)
            try await client.post("/slots", "city=Berlin")
            let tab = try await self.tab(port, token)
            try await tab.waitFor("id: 1\n")
            if hasFailed { store.fail() }
            store.set(1, in: "Berlin")
            #expect(try await eventually { store.reads == 2 })
            for count in 2...3 {
                store.set(count, in: "Berlin")
                try await self.tab(port, token).waitFor(":\n")
            }
            #expect(store.reads == 2)
            store.fail(nil)
            // An event does not wait.
            try await client.post("/slots", "event=holdButtonPressed")
            #expect(store.reads == 3)
            try await tab.waitFor("\"value\":3}")
        }
    }

    // MARK: Ends

    @Test func `a login ends the session's streams`() async throws {
        try await withSession { port, token in
            let tab = try await waitingTab(port, token)
            try await TestClient(service, token: token).logIn()
            let (_, events) = try await tab.receive()
            #expect(events.map(\.name) == ["problem"])
            #expect(try events.last?.json["code"] == "notAuthenticated")
        }
    }

    @Test func `waiting is no use of the session`() async throws {
        try await withSession { port, token in
            let tab = try await waitingTab(port, token)
            clock.advance(by: service.configuration.sessions.idle)
            service.removeExpiredSessions()
            #expect(try await tab.receive().events.map(\.name) == ["problem"])
        }
    }

    @Test func `an unknown session gets no stream`() async throws {
        try await withServer(service) { port in
            let response = try await tab(port, "unknown").connection.receive()
            expect(response, 401, has: ["Content-Type": "application/problem+json"])
        }
    }

    @Test func `the response timeout does not end a wait or a stream`() async throws {
        try await withServer(service, configure: { ($0.loops, $0.responseTimeout) = (1, .milliseconds(300)) }) { port in
            let token = try await service.newToken()
            let tab = try await self.tab(port, token)
            async let answer = TestClient(SocketSender(port: port), token: token).get(
                "/session/history?since=0&wait=50"
            )
            try await expectWaiting(2)
            // The loop examines all deadlines together.
            try await expect(TestClient(SocketSender(port: port)).post("/silent"), 504)
            try await choose("Berlin", token)
            #expect(try await answer.commands.count == 1)
            try await tab.waitFor("id: 1\n")
        }
    }

    @Test func `clients that disconnect wait no longer, and leave no connection open`() async throws {
        try await withRunningServer(service) { server in
            let port = server.address.port
            let token = try await service.newToken()
            let head = "HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
            for query in ["?since=0&wait=50", ""] {
                let client = try await HTTPTestClient(port: port)
                let accept = query.isEmpty ? "Accept: text/event-stream\r\n" : ""
                try await client.send("GET /session/history\(query) \(head)\(accept)\r\n")
                try await expectWaiting(1)
                await client.close()
                try await expectWaiting(0)
                #expect(try await eventually { server.statistics.connections == 0 })
            }
        }
    }

    // MARK: Limits

    @Test func `a fifth request that waits for a session replaces the first`() async throws {
        try await withSession { port, token in
            var tabs: [StreamClient] = []
            for _ in 0..<4 { tabs.append(try await waitingTab(port, token)) }
            let other = try await waitingTab(port, service.newToken())
            tabs.append(try await waitingTab(port, token))
            try await tabs[0].waitFor("tooManyRequests")
            try await expectWaiting(5)
            for tab in tabs[1...] { await tab.connection.close() }
            try await expectWaiting(1)
            withExtendedLifetime(other) {}
        }
    }

    @Test func `at most 100 requests from one address wait`() async throws {
        let requests = WaitingRequests()
        let service = UnderstudyService(pages: [])
        func address(_ text: String) -> IPAddress? {
            service.limitedAddress(of: Request(.get, "/", clientAddress: IPAddress(text)))
        }
        func add(_ text: String, _ waiter: Waiter = Waiter()) throws { try requests.add(waiter, from: address(text)) }
        let waiters = (0..<100).map { _ in Waiter() }
        for waiter in waiters { try add("2001:db8::1", waiter) }
        #expect(throws: Problem.self) { try add("2001:db8::2") }
        try add("2001:db8:0:1::1")
        for _ in 0..<200 { try add("127.0.0.1") }
        requests.remove(waiters[0], from: address("2001:db8::1"))
        try add("2001:db8::2")
    }
}
