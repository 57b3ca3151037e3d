@testable import Understudy
@testable import UnderstudyPages
@testable import UnderstudySessions

struct SessionSnapshotTests {
    let clock = ManualClock()

    func service() -> UnderstudyService { UnderstudyService(pages: Page.bundled(clock)) { $0.clock = clock } }

    @Test func `a snapshot contains no secrets`() async throws {
        let service = service()
        let client = TestClient(service)
        let canary = "canary-7f3a"
        try await client.logIn(canary, key: "a")
        try await client.post("/signup", "event=passwordChanged&password=\(canary)", key: "b")
        for values in ["event=nameChanged&name=a", "name=a&email=b", "event=nothing"] {
            try await client.post("/signup", "\(values)&password=\(canary)")
        }
        let text = try await session(of: client, service).snapshot.json.text
        #expect(text.contains("batman"))
        #expect(!text.contains(canary))
        #expect(!text.contains(Data(canary.utf8).base64EncodedString()))
        #expect(!text.contains(canary.utf8.map(String.init).joined(separator: ",")))
    }

    @Test func `restoring leaves out a page that is no longer served`() async throws {
        let service = service()
        let client = TestClient(service)
        try await client.post("/email", "email=a")
        try await client.post("/register", "userID=a")
        let session = try await session(of: client, service)
        let other = Session(id: SessionToken.random().id, now: clock.now)
        other.restore(try session.snapshot, pages: Pages(service.pages.all.filter { $0.name != "email" }))
        #expect(other.screens.map(\.page.name) == ["register"])
        #expect(other.history.sequence == session.history.sequence)
    }

    func session(of client: TestClient, _ service: UnderstudyService) async throws -> Session {
        let text = try #require(client.cookie?.split(separator: "=").last)
        let id = try #require(sessionToken(String(text))).id
        return try #require(service.liveSessions.find(id, at: clock.now))
    }
}
