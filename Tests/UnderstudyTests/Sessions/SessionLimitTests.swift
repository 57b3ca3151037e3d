import AccountStoreSuite

@testable import Understudy
@testable import UnderstudySessions

/// The limits of sessions in memory, and of those that a service stores.
struct SessionLimitTests {
    @Test(arguments: SessionLimitSuite.behaviours)
    func `sessions in memory are limited`(_ behaviour: Behaviour<SessionLimitSuite.Subject>) async throws {
        try await behaviour.check(SessionLimitSuite.Subject { SessionsInMemory($0) })
    }

    let clock = ManualClock()
    let sessions = FaultySessions()
    let metrics = PrometheusRegistry(help: UnderstudyService.metricDescriptions)

    func service(_ mode: SessionMode, _ change: (inout SessionLimits) -> Void) -> UnderstudyService {
        UnderstudyService(pages: [CountingController.page]) {
            $0.clock = clock
            $0.sessionStore = sessions
            $0.sessionMode = mode
            $0.metrics = metrics
            change(&$0.sessions)
        }
    }

    func start(_ service: UnderstudyService, from address: String) async throws -> String {
        clock.advance(by: .milliseconds(1))
        return try #require(await service.send(Request(.post, "/counter", clientAddress: IPAddress(address))).cookie)
    }

    func isLive(_ cookie: String, _ service: UnderstudyService) async throws -> Bool {
        clock.advance(by: .milliseconds(1))
        return try await TestClient(service, cookie: cookie).get("/counter")["sequence"] != 0
    }

    func areLive(_ cookies: [String], _ service: UnderstudyService) async throws -> [Bool] {
        var live: [Bool] = []
        for cookie in cookies { live.append(try await isLive(cookie, service)) }
        return live
    }

    @Test func `the limit for an address applies to the sessions of all servers together`() async throws {
        let services = (0..<2).map { _ in service(.database) { $0.maximumPerAddress = 3 } }
        let other = try await start(services[0], from: "192.0.2.1")
        var cookies: [String] = []
        for number in 1...10 { cookies.append(try await start(services[number % 2], from: "2001:db8::\(number)")) }
        await services[0].removeExpiredSharedSessions()
        for service in services {
            let live = try await areLive(cookies + [other], service)
            #expect(live == Array(repeating: false, count: 7) + Array(repeating: true, count: 4))
        }
    }

    @Test func `the limit for an address also counts the sessions from before a restart`() async throws {
        let first = service(.memory) { _ in }
        try await first.restoreSessions()
        var cookies: [String] = []
        for _ in 1...4 { cookies.append(try await start(first, from: "192.0.2.1")) }
        let other = try await start(first, from: "192.0.2.2")
        // Used, but nevertheless the oldest.
        #expect(try await isLive(cookies[0], first))
        try await first.saveSessions()
        let second = service(.memory) { $0.maximumPerAddress = 3 }
        try await second.restoreSessions()
        cookies.append(try await start(second, from: "192.0.2.1"))
        #expect(try await areLive(cookies + [other], second) == [false, false, true, true, true, true])
    }

    @Test func `a restart does not make an empty session a used one`() async throws {
        let first = service(.memory) { _ in }
        let used = try await start(first, from: "192.0.2.1")
        #expect(try await isLive(used, first))
        let empty = try await start(first, from: "192.0.2.2")
        try await first.saveSessions()
        let second = service(.memory) { $0.maximum = 2 }
        try await second.restoreSessions()
        #expect(try await areLive([used, empty, start(second, from: "192.0.2.3")], second) == [true, false, true])
    }

    @Test func `a request that only reads makes a stored session a used one`() async throws {
        let services = (0..<2).map { _ in service(.database) { $0.maximum = 1 } }
        let used = try await start(services[0], from: "192.0.2.1")
        #expect(try await isLive(used, services[1]))
        let empty = try await start(services[0], from: "192.0.2.1")
        await services[1].removeExpiredSharedSessions()
        #expect(try await areLive([used, empty], services[0]) == [true, false])
    }

    @Test func `the maximum of the memory applies to stored sessions`() async throws {
        let service = service(.database) { $0.maximumMemory = 10_000 }
        var cookies: [String] = []
        for _ in 1...40 { cookies.append(try await start(service, from: "192.0.2.1")) }
        await service.removeExpiredSharedSessions()
        let live = try await areLive(cookies, service).count { $0 }
        #expect((1...9).contains(live))
        #expect(metrics.exposition().contains("\nunderstudy_sessions_evicted_total \(40 - live)\n"))
        #expect(metrics.exposition().contains("\nunderstudy_sessions_expired_total 0\n"))
        clock.advance(by: .seconds(3600))
        await service.removeExpiredSharedSessions()
        #expect(metrics.exposition().contains("\nunderstudy_sessions_expired_total \(live)\n"))
    }
}

/// The sessions of a service that has them only in memory.
private actor SessionsInMemory: LimitedSessions {
    let store: LiveSessions
    let key = Array(repeating: UInt8(1), count: 32)
    var sessions: [Int: Session] = [:]

    init(_ limits: SessionLimitSuite.Limits) {
        var sessionLimits = SessionLimits()
        sessionLimits.maximum = limits.maximum
        sessionLimits.maximumMemory = limits.memory
        sessionLimits.maximumPerAddress = limits.perAddress
        store = LiveSessions(limits: sessionLimits)
    }

    func start(_ number: Int, from address: UInt8?, size: Int, at time: Int) {
        let hash = address.flatMap { IPAddress("192.0.2.\($0)") }.map { AddressHash($0, key: key) }
        let session = Session(id: SessionToken.random().id, now: Timestamp(seconds: time), address: hash)
        session.shardEntry.size = size
        sessions[number] = session
        store.insert(session, at: Timestamp(seconds: time))
    }

    func find(_ number: Int, at time: Int) -> Session? {
        sessions[number].flatMap { store.find($0.id, at: Timestamp(seconds: time)) }
    }

    func use(_ number: Int, size: Int, at time: Int) {
        if let found = find(number, at: time) { store.resize(found, to: size) }
    }

    func setUser(_ user: String?, of number: Int, at time: Int) {
        guard let found = find(number, at: time) else { return }
        found.identity.user = user.map { User(username: $0, id: $0) }
        store.rename(found, to: SessionToken.random().id, at: Timestamp(seconds: time))
    }

    func clean(at time: Int) -> [Int] {
        store.removeExpired(at: Timestamp(seconds: time))
        return sessions.keys.sorted().filter { number in
            sessions[number].map { $0.shardEntry.isStored && !store.hasExpired($0, at: Timestamp(seconds: time)) }
                ?? false
        }
    }
}
