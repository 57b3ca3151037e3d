import TestSupport

@testable import Understudy

/// The maximum size of a session, and the events that would exceed it.
@Suite struct SessionSizeTests {
    private let service = UnderstudyService(pages: [WordyController.page])
    private let client: TestClient

    init() {
        client = TestClient(service)
    }

    private func say(_ key: String, _ count: Int) -> String {
        #"{"event":"say","values":{"key":"\#(key)","count":\#(count)}}"#
    }

    @Test(arguments: [#"{"event":"talk"}"#, #"{"event":"remember","values":{"count":70000}}"#])
    func `an event that would exceed the session's maximum size is rejected and changes nothing`(
        event: String
    ) async throws {
        try await client.post("/wordy", say("text", 10))
        let before = try await client.get("/wordy").text
        let answer = try await client.post("/wordy", event)
        try expect(answer, 422, "sessionFull")
        #expect(try answer["limit"] == 65_536)
        #expect(try await client.get("/wordy").text == before)
        let next = try await client.post("/wordy", say("text", 20))
        #expect(try next["sequence"] == 2)
        #expect(try await client.post("/wordy", #"{"event":"remember","values":{"count":1}}"#).status == 200)
    }

    @Test func `a list of products that can be shown can also be stored with the representation`() async throws {
        func products(_ count: Int) -> [Product] {
            [Product(name: "Car", description: String(repeating: "a", count: count), image: "")]
        }
        let counts = Array(stride(from: 1_000, to: 60_000, by: 100))
        let count = try #require(counts.last { SessionLimits().canShow(products($0).screenValue) })
        #expect(count > 15_000)
        let repository = ProductsRepository(products(count))
        let pages = Page.bundled(credentials: FixedCredentials.demo, repository: repository)
        let client = TestClient(UnderstudyService(pages: pages))
        let answer = try await client.post("/products", key: "a", prefer: ["return=representation"])
        #expect(answer.status == 200)
    }

    @Test func `the rendered values count together, and a smaller value frees room`() async throws {
        for key in ["a", "b", "c"] { #expect(try await client.post("/wordy", say(key, 20_000)).status == 200) }
        #expect(try await client.post("/wordy", say("d", 20_000)).status == 422)
        #expect(try await client.post("/wordy", say("a", 100)).status == 200)
        #expect(try await client.post("/wordy", say("d", 20_000)).status == 200)
    }

    @Test func `a value of more than half the maximum size can be rendered again`() async throws {
        for _ in 1...3 { #expect(try await client.post("/wordy", say("a", 40_000)).status == 200) }
    }

    @Test func `many small values stay within the maximum size`() async throws {
        var (status, largest) = (200, 0)
        for number in 1...2000 where status == 200 {
            status = try await client.post("/wordy", say("\(number)", 1)).status
            largest = max(largest, service.liveSessions.memorySize)
        }
        #expect(status == 422)
        #expect(largest <= 65_536)
    }

    @Test func `the history makes room, oldest commands first`() async throws {
        for number in 1...40 { try await client.post("/wordy", say("a", 4000 + number)) }
        let history = try await client.get("/session/history?since=39")
        #expect(history.status == 200)
        #expect(try await client.get("/session/history?since=0").status == 410)
        #expect(service.liveSessions.memorySize <= 65_536)
    }

    @Test func `stored responses make room, oldest first, and the newest stays`() async throws {
        for number in 1...8 { try await client.post("/wordy", say("a", 14_000 + number), key: "\(number)") }
        let again = try await client.post("/wordy", say("a", 14_008), key: "8")
        #expect(again.header("Idempotency-Replayed") == "true")
        #expect(service.liveSessions.memorySize <= 65_536)
    }

    @Test func `a response that could not be stored for its key is rejected`() async throws {
        #expect(try await client.post("/wordy", say("a", 40_000)).status == 200)
        #expect(try await client.post("/wordy", say("a", 40_000), key: "1").status == 422)
    }

    @Test func `the reported size is that of the live sessions`() async throws {
        let clients = (1...20).map { _ in TestClient(service) }
        for client in clients { try await client.post("/wordy", say("a", 10_000)) }
        #expect(service.liveSessions.memorySize > 20 * 10_000)
        for client in clients { _ = try await client.delete("/session") }
        #expect(service.liveSessions.memorySize == 0)
    }
}
