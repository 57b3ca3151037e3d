@testable import Understudy

/// The hooks that run when sessions end.
@Suite(.fiveMinutes) struct SessionEndTests {
    /// What sessions hold, and which have ended.
    final class Holds: Sendable {
        let held = LockedValue<[String]>([])
        let ended = LockedValue<[String]>([])
        /// How many of the next calls of the hook fail.
        let failures = LockedValue(0)

        func hold(_ key: String) { held.append(key) }

        func release(_ key: String) throws {
            ended.append(key)
            let fails = failures.change { count in
                count -= 1
                return count >= 0
            }
            if fails { throw CollaboratorError.outage() }
        }
    }

    struct HoldController: Script {
        static let events: Events = [
            .default("held") { $0.holds.hold($0.key) },
            .event("failed") {
                $0.holds.hold($0.key)
                throw CollaboratorError.outage()
            },
            .event("slow") {
                await $0.during()
                $0.holds.hold($0.key)
            },
            .event("loggedIn", reads: Field<String>("name")) {
                $0.identity.user = User(username: $1, id: $1)
                $0.holds.hold($0.key)
            },
            .event("loggedOut") { $0.identity.user = nil },
        ]

        let holds: Holds
        let key: String
        let identity: any Identity
        var during: @Sendable () async -> Void = {}
    }

    let holds = Holds()
    let clock = ManualClock()
    let store = FaultySessions()
    let log = LogCapture()

    func pages(during: @escaping @Sendable () async -> Void = {}) -> [Page] {
        let hold = Page("hold", onSessionEnd: { [holds] in try holds.release($0.key) }) { [holds] in
            Scripted(HoldController(holds: holds, key: $0.sessionKey, identity: $0.identity, during: during))
        }
        return [hold, CountingController.page]
    }

    func service(_ pages: [Page]? = nil, _ mode: SessionMode? = nil, maximum: Int = 20_000) -> UnderstudyService {
        UnderstudyService(pages: pages ?? self.pages(), logger: log.logger) {
            $0.clock = clock
            $0.sessions.maximum = maximum
            $0.requests = nil
            if let mode { ($0.sessionStore, $0.sessionMode) = (store, mode) }
        }
    }

    /// The keys of the sessions that have ended, after the hooks have run.
    func ended(_ service: UnderstudyService) async -> [String] {
        await service.runSessionEndHooks()
        return holds.ended.value
    }

    /// A server that has restored the saved sessions.
    func restored() async throws -> UnderstudyService {
        let service = service(nil, .memory)
        try await service.restoreSessions()
        return service
    }

    func client(_ service: UnderstudyService, _ event: String = "event=held") async throws -> TestClient {
        let client = TestClient(service)
        try await client.post("/hold", event)
        return client
    }

    @Test(arguments: [nil, SessionMode.memory, .database])
    func `the hook runs once after a client has ended its session`(mode: SessionMode?) async throws {
        let service = service(nil, mode)
        let client = try await client(service)
        try await client.post("/hold")
        #expect(await ended(service) == [])
        try await client.delete("/session")
        await service.runSessionEndHooks()
        await service.runSessionEndHooks()
        let key = try #require(holds.ended.value.first)
        #expect(holds.ended.value == [key])
        #expect(holds.held.value == [key, key])
        #expect(key.utf8.count == 32)
    }

    @Test(arguments: SessionMode.allCases)
    func `the hook runs for sessions that expire, are evicted or revoked`(mode: SessionMode) async throws {
        let service = service(nil, mode, maximum: 2)
        let expired = try await client(service)
        clock.advance(by: .seconds(3600 * 24 * 100))
        service.removeExpiredSessions()
        await service.removeExpiredSharedSessions()
        try await expect(expired.get("/session"), 401)
        #expect(await ended(service) == holds.held.value)
        _ = try await client(service, "event=loggedIn&name=ada")
        try await service.endSessions(ofUser: "ada")
        #expect(await ended(service) == holds.held.value)
        for _ in 1...3 {
            _ = try await client(service)
            clock.advance(by: .seconds(1))
        }
        await service.removeExpiredSharedSessions()
        #expect(await ended(service) == Array(holds.held.value.prefix(3)))
    }

    @Test func `the end of a session without a key runs no hook`() async throws {
        let service = service(nil, .database)
        let client = TestClient(service)
        try await client.post("/counter")
        try await client.delete("/session")
        #expect(await ended(service) == [])
    }

    @Test(arguments: SessionMode.allCases)
    func `a login keeps the key, and a logout ends it`(mode: SessionMode) async throws {
        let service = service(nil, mode)
        let client = try await client(service)
        for _ in 1...2 {
            try await client.post("/hold", "event=loggedIn&name=ada")
            await service.runSessionEndHooks()
        }
        #expect(Set(holds.held.value).count == 1)
        #expect(holds.ended.value == [])
        try await client.post("/hold", "event=loggedOut")
        #expect(await ended(service) == [holds.held.value[0]])
        try await client.post("/hold", "event=loggedIn&name=bob")
        #expect(holds.held.value.last != holds.held.value.first)
        try await client.delete("/session")
        #expect(try await ended(service) == [holds.held.value[0], #require(holds.held.value.last)])
    }

    @Test func `on two servers, a session has one key, and each end runs the hook once`() async throws {
        let (one, two) = (service(nil, .database), service(nil, .database))
        let first = try await client(one)
        try await TestClient(two, cookie: first.cookie).post("/hold")
        try await first.post("/hold")
        #expect(Set(holds.held.value).count == 1)
        try await first.delete("/session")
        try await concurrently(4) { number in await [one, two][number % 2].runSessionEndHooks() }
        #expect(holds.ended.value == [holds.held.value[0]])
    }

    @Test func `with a store, a hook that fails runs again after pauses that grow`() async throws {
        let service = service(nil, .database)
        _ = try await client(service).delete("/session")
        holds.failures.value = 2
        var runs: [Int] = []
        for _ in 0..<4 {
            await service.runSessionEndHooks()
            runs.append(holds.ended.value.count)
            clock.advance(by: .seconds(60))
        }
        #expect(runs == [1, 2, 2, 3])
        #expect(try await store.claimEndedSessions(limit: 10, at: clock.now + .seconds(10_000)) == [])
        #expect(log.lines.count { "\($0)".contains("The hook for the end of sessions has failed") } == 2)
    }

    @Test func `without a store, a hook that fails runs again`() async throws {
        let service = service()
        holds.failures.value = 1
        _ = try await client(service).delete("/session")
        #expect(try await eventually { holds.ended.value.count >= 2 })
        #expect(Set(holds.ended.value).count == 1)
    }

    @Test func `the hook of a session that ends during an event runs after the event`() async throws {
        let latch = Latch()
        let service = service(pages { await latch.wait() })
        let cookie = try await client(service).cookie
        async let answer = TestClient(service, cookie: cookie).post("/hold", "event=slow")
        await latch.arrivals.reaches(1)
        service.liveSessions.removeAll()
        #expect(await ended(service) == [])
        latch.open()
        _ = try await answer
        #expect(try await eventually { !holds.ended.value.isEmpty })
        #expect(holds.held.value == [holds.ended.value[0], holds.ended.value[0]])
    }

    @Test func `the hook runs for a new session whose first event has failed`() async throws {
        let service = service()
        _ = try await client(service, "event=failed")
        await service.runSessionEndHooks()
        #expect(holds.held.value.count == 1)
        #expect(holds.ended.value == holds.held.value)
    }

    @Test func `10,000 sessions that end at once run 10,000 hooks`() async throws {
        let service = service()
        for _ in 0..<10_000 { _ = try await client(service) }
        service.liveSessions.removeAll()
        let haveRun = try await eventually {
            await service.runSessionEndHooks()
            return holds.ended.value.count == 10_000
        }
        #expect(haveRun)
        #expect(Set(holds.ended.value) == Set(holds.held.value))
    }

    @Test func `a saved session keeps its key, and an expired one ends at the next start`() async throws {
        let first = service(nil, .memory)
        let before = try await client(first)
        try await first.saveSessions()
        let second = try await restored()
        try await TestClient(second, cookie: before.cookie).post("/hold")
        #expect(await ended(second) == [])
        #expect(Set(holds.held.value).count == 1)
        try await second.saveSessions()
        clock.advance(by: .seconds(3600 * 24 * 100))
        #expect(try await ended(restored()) == [holds.held.value[0]])
    }

    @Test func `hooks that have not run when the server stops run after the next start`() async throws {
        let first = service(nil, .memory)
        holds.failures.value = 1_000
        _ = try await client(first).delete("/session")
        await first.runSessionEndHooks()
        try await first.saveSessions()
        holds.failures.value = 0
        let count = holds.ended.value.count
        try await restored().runSessionEndHooks()
        #expect(holds.ended.value.count == count + 1)
        #expect(Set(holds.ended.value) == [holds.held.value[0]])
    }

    @Test func `without a hook, the store keeps no keys of ended sessions`() async throws {
        let page = Page("hold") { [holds] in
            Scripted(HoldController(holds: holds, key: $0.sessionKey, identity: $0.identity))
        }
        let client = try await client(service([page], .database))
        try await client.post("/hold")
        #expect(Set(holds.held.value).count == 1)
        try await client.delete("/session")
        #expect(try await store.claimEndedSessions(limit: 10, at: clock.now) == [])
    }

    @Test(arguments: Rehearsal.allCases)
    func `a rehearsal ends its session, and the next event starts another one`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages()) { screens in
            try await screens["hold"].send("held")
            try await screens["hold"].send("loggedIn", ["name": "ada"])
            try await screens.endSession()
            #expect(holds.ended.value == [holds.held.value[0]])
            try await screens["hold"].send("held")
            #expect(holds.held.value.count == 3)
            #expect(holds.held.value[2] != holds.held.value[1])
        }
    }
}
