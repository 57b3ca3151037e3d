import AccountStoreSuite
import BundledPages
import Foundation
import Logging
import SessionStorage
import TestSupport
import Testing
import UnderstudyTesting

@testable import Understudy

/// Sessions that one service saves and another one restores.
@Suite struct SavedSessionTests {
    private let clock = ManualClock()
    private let saved = FaultySessions()
    private let log = LogCapture()
    private let metrics = PrometheusRegistry(help: UnderstudyService.metricDescriptions)

    private func service(_ pages: [Page]? = nil) -> UnderstudyService {
        let bundled = Page.bundled(
            credentials: FixedCredentials(["batman": "bruce"]),
            repository: ProductsRepository([.car]),
            clock: clock
        )
        return UnderstudyService(pages: pages ?? bundled, logger: log.logger) {
            $0.clock = clock
            $0.sessionStore = saved
            $0.metrics = metrics
        }
    }

    /// Saves the sessions of a service, and restores them in another one.
    private func restart(_ service: UnderstudyService, pages: [Page]? = nil) async throws -> UnderstudyService {
        try await service.saveSessions()
        let next = self.service(pages)
        try await next.restoreSessions()
        return next
    }

    @Test func `a user stays logged in, and a half-filled form stays filled`() async throws {
        let first = service()
        let (batman, guest) = (TestClient(first), TestClient(first))
        try await batman.post("/login", #"{"username":"batman","password":"bruce"}"#)
        try await guest.post("/signup", #"{"event":"nameChanged","values":{"name":"Lisa"}}"#)
        let before = try (await batman.get("/session").json, await guest.get("/signup").json)
        let second = try await restart(first)
        #expect(first.liveSessions.count == 0)
        let batmanLater = TestClient(second, cookie: batman.cookie)
        let guestLater = TestClient(second, cookie: guest.cookie)
        #expect(try await guestLater.get("/signup").json == before.1)
        #expect(try await batmanLater.get("/session").json == before.0)
        #expect(try await saved.take(limit: 10).isEmpty)
        #expect(
            log.lines.map(\.message).filter { $0.hasPrefix("Sessions") } == ["Sessions saved", "Sessions restored"]
        )
    }

    @Test func `the store may take until the deadline of the stop to save a batch, and at least some seconds`()
        async throws
    {
        let deadline = ContinuousClock.now + .seconds(1_000)
        for end in [deadline, .now] {
            let service = service()
            try await TestClient(service).post("/login", #"{"username":"batman","password":"bruce"}"#)
            try await service.saveSessions(until: end)
            if end == deadline { #expect(saved.deadline == deadline) }
        }
        #expect(try #require(saved.deadline) > .now)
        #expect(try #require(saved.deadline) < deadline)
    }

    @Test func `a login's response with a token is repeated, and the store contains no token`() async throws {
        let first = service()
        let client = try await TestClient.withToken(first)
        let login = #"{"username":"batman","password":"bruce"}"#
        let before = try await client.post("/login", login, key: "a")
        let token = try #require(try before["token"]?.string)
        try await first.saveSessions()
        let stored = try await saved.take(limit: 10)
        let text = String(decoding: try #require(stored.first).content, as: UTF8.self)
        #expect(!text.contains(token))
        #expect(text.contains("batman"))
        try await saved.save(stored)
        let second = service()
        try await second.restoreSessions()
        let later = TestClient(second, token: token)
        let repeated = try await later.post("/login", login, key: "a")
        #expect(try repeated.json == before.json)
        #expect(repeated.header("Idempotency-Replayed") == "true")
        #expect(try await later.post("/login", #"{"password":"x"}"#, key: "a").code == "idempotencyKeyReused")
    }

    @Test func `an expired session is not restored`() async throws {
        let first = service()
        let client = TestClient(first)
        try await client.post("/email", #"{"email":"a"}"#)
        try await first.saveSessions()
        clock.advance(by: .seconds(30 * 60))
        let second = service()
        try await second.restoreSessions()
        #expect(second.liveSessions.count == 0)
    }

    @Test func `a session that was saved in the future is restored, and expires as if it had been used now`()
        async throws
    {
        let first = service()
        let client = TestClient(first)
        try await client.post("/email", #"{"email":"a"}"#)
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
        try await TestClient(first).post("/email", #"{"email":"a"}"#)
        clock.set(by: .seconds(seconds))
        clock.advance(by: .seconds(60))
        try await first.saveSessions()
        let stored = try #require(try await saved.take(limit: 1).first)
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
        try await batman.post("/login", #"{"username":"batman","password":"bruce"}"#)
        for _ in 0..<3 { try await batman.post("/email", #"{"email":"a"}"#) }
        try await guest.post("/email", #"{"email":"a"}"#)
        try await first.saveSessions()
        let damaged = try await saved.take(limit: 10).map { session in
            let text = String(decoding: session.content, as: UTF8.self)
            guard text.contains("batman") else { return session }
            #expect(text.contains(damage.0))
            let content = text.replacing(damage.0, with: damage.1)
            return session.with(content: Array(content.utf8))
        }
        try await saved.save(damaged)
        let second = service()
        try await second.restoreSessions()
        let batmanLater = TestClient(second, cookie: batman.cookie)
        let guestLater = TestClient(second, cookie: guest.cookie)
        #expect(try await batmanLater.post("/email").status == 401)
        #expect(try await guestLater.post("/email").status == 200)
        #expect(second.liveSessions.count == 1)
        #expect(try await batmanLater.post("/email", #"{"email":"b"}"#).status == 200)
        let line = try #require(log.lines.first { $0.message == "A session cannot be restored" })
        #expect(line.metadata["session"]?.count == 8)
        #expect(line.metadata["error"]?.hasPrefix("the column '\(damage.2)' is damaged: ") == true)
    }

    @Test(arguments: ["id", "created", "last_used"])
    func `a session with a damaged column is not restored`(_ column: String) async throws {
        let first = service()
        try await TestClient(first).post("/email", #"{"email":"a"}"#)
        try await first.saveSessions()
        let session = try #require(try await saved.take(limit: 1).first)
        let never = Timestamp(milliseconds: .max)
        try await saved.save([
            StoredSession(
                id: column == "id" ? [1, 2] : session.id,
                user: nil,
                created: column == "created" ? never : session.created,
                lastUsed: column == "last_used" ? never : session.lastUsed,
                content: session.content
            )
        ])
        let second = service()
        try await second.restoreSessions()
        #expect(second.liveSessions.count == 0)
        let line = try #require(log.lines.first { $0.message == "A session cannot be restored" })
        #expect(line.metadata["error"]?.hasPrefix("the column '\(column)' is damaged: ") == true)
    }

    @Test func `without a store, sessions stay in the service`() async throws {
        let service = UnderstudyService(pages: [CountingController.page])
        let client = TestClient(service)
        try await client.post("/counter")
        try await service.saveSessions()
        try await service.restoreSessions()
        #expect(service.liveSessions.count == 1)
    }

    @Test func `sessions that no request has used are saved again as they were`() async throws {
        let first = service()
        try await TestClient(first).post("/email", #"{"email":"a"}"#)
        try await first.saveSessions()
        let stored = try await saved.take(limit: 10)
        try await saved.save(stored)
        let second = service()
        try await second.restoreSessions()
        try await second.saveSessions()
        #expect(try await saved.take(limit: 10) == stored)
        #expect(stored.count == 1)
    }

    // MARK: States of other versions

    @Test func `a state of an earlier version is converted`() async throws {
        let first = service([Page("counter") { _ in FirstCounter() }])
        let client = TestClient(first)
        for _ in 1...3 { try await client.post("/counter") }
        let later = TestClient(try await restart(first, pages: [Page("counter") { _ in SecondCounter() }]))
        later.cookie = client.cookie
        #expect(try await later.post("/counter")["commands"]?.array?.first?.object?["value"] == 4)
    }

    @Test(arguments: ["broken", "later"])
    func `a page whose state cannot be restored starts afresh, and the rest stays`(kind: String) async throws {
        let counter =
            kind == "later" ? Page("counter") { _ in SecondCounter() } : Page("counter") { _ in FirstCounter() }
        let changed =
            kind == "later" ? Page("counter") { _ in FirstCounter() } : Page("counter") { _ in BrokenCounter() }
        let first = service([counter, PhoneController.page, ProfileController.page])
        let client = TestClient(first)
        try await client.post("/phone", #"{"phone":"+1"}"#)
        for _ in 1...3 { try await client.post("/counter") }
        let second = try await restart(first, pages: [changed, PhoneController.page, ProfileController.page])
        let later = TestClient(second, cookie: client.cookie)
        let profile = try await later.post("/profile", #"{"phone":"+0"}"#)
        #expect(try profile["commands"]?.array?.first?.object?["value"] == "+1")
        let answer = try await later.post("/counter")
        #expect(try answer["commands"]?.array?.first?.object?["value"] == 1)
        let line = log.lines.first { $0.message == "A page starts afresh, because its state cannot be restored" }
        #expect(line?.metadata["page"] == "counter")
        #expect(line?.level == .warning)
        #expect(metrics.exposition().contains(#"understudy_states_discarded_total{page="counter"} 1"#))
    }

    @Test func `a state whose type has got a member with a default value loses nothing`() async throws {
        let first = service([Page("counter") { _ in SecondCounter() }])
        let client = TestClient(first)
        for _ in 1...3 { try await client.post("/counter") }
        let later = TestClient(try await restart(first, pages: [Page("counter") { _ in ThirdCounter() }]))
        later.cookie = client.cookie
        #expect(try await later.post("/counter")["commands"]?.array?.first?["value"] == 14)
    }

    // MARK: Session values of other versions

    private func total(
        _ first: SessionValue<some Codable & Sendable>,
        then second: SessionValue<Total>
    ) async throws -> Value? {
        let before = service([Page("total") { Scripted(TotalController(total: $0[first])) }])
        let client = TestClient(before)
        try await client.post("/total")
        let later = TestClient(
            try await restart(before, pages: [Page("total") { Scripted(TotalController(total: $0[second])) }])
        )
        later.cookie = client.cookie
        return try await later.post("/total")["commands"]?.array?.first?["value"]
    }

    private struct Amounts: Codable { var net = 5 }

    @Test func `a session value whose type has got a member with a default value loses nothing`() async throws {
        #expect(
            try await total(SessionValue("total", Amounts()), then: SessionValue("total", Total(net: 1, tax: 2)))
                == ["net": 5, "tax": 2]
        )
        #expect(log.lines.allSatisfy { $0.level < .warning })
    }

    @Test func `a session value of an earlier version is converted, also after several restarts`() async throws {
        let second = SessionValue("total", Total(), version: 3) { saved, version in
            ["net": saved, "tax": Value(version)]
        }
        #expect(try await total(SessionValue("total", 7, version: 2), then: second) == ["net": 7, "tax": 2])
        #expect(try await total(SessionValue("total", 7), then: second) == ["net": 7, "tax": 1])
        #expect(
            try await total(SessionValue("total", Total(net: 8, tax: 1), version: 3), then: second)
                == ["net": 8, "tax": 1]
        )
    }

    @Test(arguments: ["broken", "later", "refused"])
    func `a session value that cannot be restored is as in a new session, which is logged and counted`(
        kind: String
    ) async throws {
        let value =
            switch kind {
            case "broken": try await total(SessionValue("total", "many"), then: SessionValue("total", Total(net: 3)))
            case "later":
                try await total(SessionValue("total", Total(), version: 2), then: SessionValue("total", Total(net: 3)))
            default:
                try await total(
                    SessionValue("total", Total()),
                    then: SessionValue("total", Total(net: 3), version: 2) { _, _ in throw Outage() }
                )
            }
        #expect(value == ["net": 3, "tax": 0])
        let line = log.lines.first { $0.message == "A session value starts afresh, because it cannot be restored" }
        #expect(line?.metadata["value"] == "total")
        #expect(line?.level == .warning)
        #expect(metrics.exposition().contains(#"understudy_session_values_discarded_total{value="total"} 1"#))
    }
}

private struct Total: Codable, Equatable {
    var net = 0
    var tax = 0
}

/// Shows a session value.
private struct TotalController<Content: Codable & Sendable>: Script {
    static var events: EventTable<Scripted<TotalController>> {
        [
            .default("shown", gives: [.renders(Output<Value>("total"))]) { controller in
                let value = controller.total.value
                controller.total.value = value
                let json = (try? JSONEncoder().encode(value)).flatMap { try? JSONReader.read(Array($0)) }
                controller.render(Output<Value>("total"), json ?? .null)
            }
        ]
    }

    let total: Shared<Content>
}

/// The second counter, whose state has got a member.
private final class ThirdCounter: BusinessLogicController {
    struct State: Codable, Sendable {
        var count = 0
        var bonus = 10
    }

    static let stateVersion = 2
    static let events: EventTable<ThirdCounter> = [
        .default("count", gives: [.renders(counted)]) { controller in
            controller.state.count += 1
            controller.render(counted, controller.state.count + controller.state.bonus)
        }
    ]
    weak var controllable: (any Controllable)?
    var state = State()
}

private let counted = Output<Int>("count")

/// A controller that counts, with its first state.
private final class FirstCounter: BusinessLogicController {
    static let events: EventTable<FirstCounter> = [
        .default("count", gives: [.renders(counted)]) { controller in
            controller.state += 1
            controller.render(counted, controller.state)
        }
    ]
    weak var controllable: (any Controllable)?
    var state = 0
}

/// The same controller with another state.
private final class SecondCounter: BusinessLogicController {
    struct State: Codable, Sendable {
        var count = 0
    }

    static let stateVersion = 2
    static let events: EventTable<SecondCounter> = [
        .default("count", gives: [.renders(counted)]) { controller in
            controller.state.count += 1
            controller.render(counted, controller.state.count)
        }
    ]
    weak var controllable: (any Controllable)?
    var state = State()

    static func migrateState(_ saved: Value, from version: Int) throws -> Value { ["count": saved] }
}

/// The same controller with another state, which forgot to raise its version.
private final class BrokenCounter: BusinessLogicController {
    static let events: EventTable<BrokenCounter> = [
        .default("count", gives: [.renders(counted)]) { controller in
            controller.state = ["\(controller.state.count)"]
            controller.render(counted, controller.state.count)
        }
    ]
    weak var controllable: (any Controllable)?
    var state: [String] = []
}

extension StoredSession {
    /// The session with another content.
    func with(content: [UInt8]) -> StoredSession {
        StoredSession(id: id, user: user, created: created, lastUsed: lastUsed, content: content)
    }
}
