@testable import Understudy

/// The maximum size of a session, and the events that would exceed it.
struct SessionSizeTests {
    let service = UnderstudyService(pages: [WordyController.page])
    let client: TestClient

    init() { client = TestClient(service) }

    /// Shows a text of that length under a key.
    @discardableResult
    func say(_ name: String, _ count: Int, by client: TestClient? = nil, key: String? = nil) async throws
        -> Answer
    {
        try await (client ?? self.client).post("/wordy", "event=say&key=\(name)&count=\(count)", key: key)
    }

    @Test(arguments: [#"{"event":"talk"}"#, #"{"event":"remember","values":{"count":70000}}"#])
    func `an event that would exceed the session's maximum size changes nothing`(event: String) async throws {
        try await say("text", 10)
        let before = try await client.get("/wordy").text
        try await expect(client.post("/wordy", event), 422, "sessionFull", ["limit": 65_536])
        #expect(try await client.get("/wordy").text == before)
        #expect(try await say("text", 20)["sequence"] == 2)
        try await expect(client.post("/wordy", "event=remember&count=1"), 200)
    }

    @Test func `in a session that is almost full, no event runs that may change data`() async throws {
        let runs = LockedValue(0)
        let page = Page("counted") { _ in ActingController { _ in runs.change { $0 += 1 } } }
        let client = TestClient(pages: [WordyController.page, page])
        try await expect(client.post("/counted"), 200)
        var (room, step) = (60_000, 2_000)
        while step > 1 {
            if try await say("text", room + step, by: client).status == 200 { room += step } else { step /= 2 }
            if try await client.post("/counted").status != 200 { break }
        }
        #expect(step > 1, "the page was refused before the session was full")
        let before = runs.value
        try await expect(client.post("/counted"), 422, "sessionFull")
        #expect(runs.value == before)
    }

    @Test func `products that can be shown can also be stored`() async throws {
        func products(_ count: Int) -> [Product] { [Product(name: "Car", description: "a".repeated(count), image: "")] }
        let counts = Array(stride(from: 1_000, to: 60_000, by: 100))
        let count = try #require(counts.last { SessionLimits().canShow(products($0).screenValue) })
        #expect(count > 15_000)
        let pages = Page.bundled(credentials: FixedCredentials.demo, repository: ProductsRepository(products(count)))
        try await expect(TestClient(pages: pages).post("/products", key: "a", prefer: ["return=representation"]), 200)
    }

    @Test func `the rendered values count together, and a smaller value frees room`() async throws {
        for key in ["a", "b", "c"] { try await expect(say(key, 20_000), 200) }
        try await expect(say("d", 20_000), 422)
        try await expect(say("a", 100), 200)
        try await expect(say("d", 20_000), 200)
    }

    @Test func `a value of more than half the maximum size can be rendered again, unless a key stores the response`()
        async throws
    {
        for _ in 1...3 { try await expect(say("a", 40_000), 200) }
        try await expect(say("a", 40_000, key: "1"), 422)
    }

    @Test func `many small values stay within the maximum size`() async throws {
        var (status, largest) = (200, 0)
        for number in 1...2000 where status == 200 {
            status = try await say("\(number)", 1).status
            largest = max(largest, service.liveSessions.memorySize)
        }
        #expect(status == 422)
        #expect(largest <= 65_536)
    }

    @Test func `the history makes room, oldest commands first`() async throws {
        for number in 1...40 { try await say("a", 4000 + number) }
        try await expect(client.get("/session/history?since=39"), 200)
        try await expect(client.get("/session/history?since=0"), 410)
        #expect(service.liveSessions.memorySize <= 65_536)
    }

    @Test func `stored responses make room, oldest first, and the newest stays`() async throws {
        for number in 1...8 { try await say("a", 14_000 + number, key: "\(number)") }
        #expect(try await say("a", 14_008, key: "8").isReplayed)
        #expect(service.liveSessions.memorySize <= 65_536)
    }

    @Test func `the reported size is that of the live sessions`() async throws {
        let clients = (1...20).map { _ in TestClient(service) }
        for client in clients { try await say("a", 10_000, by: client) }
        #expect(service.liveSessions.memorySize > 20 * 10_000)
        for client in clients { try await client.delete("/session") }
        #expect(service.liveSessions.memorySize == 0)
    }
}
