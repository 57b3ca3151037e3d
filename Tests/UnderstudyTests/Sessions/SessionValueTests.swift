import TestSupport

@testable import Understudy
@testable import UnderstudyReplay

/// The values that the pages of a session share.
@Suite struct SessionValueTests {
    private static let pages = [PhoneController.page, ProfileController.page]
    private let service = UnderstudyService(pages: pages)

    private func stored(_ client: TestClient) async throws -> Value? {
        try await client.post("/profile", #"{"phone":"+0"}"#).shown.first
    }

    @Test(arguments: Transport.allCases)
    func `two pages of a session share a value, and two sessions do not`(transport: Transport) async throws {
        try await transport.run(service) { client in
            try await client.post("/phone", #"{"phone":"+1"}"#)
            #expect(try await stored(client) == "+1")
            client.cookie = nil
            #expect(try await stored(client) == "")
        }
    }

    @Test func `a value that grows fills the session, and the event is undone`() async throws {
        let client = TestClient(service)
        func note(_ count: Int) async throws -> Answer {
            try await client.post("/phone", #"{"event":"noted","values":{"count":\#(count)}}"#)
        }
        #expect(try await note(30_000).status == 200)
        #expect(try await note(40_000).code == "sessionFull")
        let counted = try await client.post("/profile", #"{"event":"counted"}"#)
        #expect(try counted.shown.first == 1)
        #expect(try await note(100).status == 200)
    }

    @Test func `a recording of pages that share a value replays the same`() async throws {
        let place = RecordingDirectory()
        let client = try TestClient(place.service(Self.pages))
        try await client.post("/phone", #"{"phone":"+1"}"#)
        #expect(try await stored(client) == "+1")
        let recording = try place.recording
        #expect(recording.events.count == 2)
        #expect(try await recording.findings(on: Self.pages) == [])
    }

    // MARK: Logging out

    @Test func `an event that logs the user out replaces the token and calls onLogout`() async throws {
        let loggedOut = LockedValue<[ClientContext]>([])
        let client = TestClient(
            UnderstudyService(pages: Page.demo()) {
                $0.onLogout = { client in loggedOut.change { $0.append(client) } }
            }
        )
        try await client.logIn()
        let old = client.cookie
        try await client.post("/email", form: "email=a")
        #expect(client.cookie == old)
        #expect(loggedOut.value.isEmpty)
        let answer = try await client.post("/home", #"{"event":"logoutButtonPressed"}"#)
        #expect(answer.status == 200)
        #expect(client.cookie != old)
        #expect(loggedOut.value.map(\.user?.username) == ["batman"])
        #expect(try await client.get("/session").status == 401)
        // The next user of the session finds nothing of the previous one.
        #expect(try await client.get("/email")["values"] == [:])
        #expect(try await client.get("/home")["rendered"] == [:])
        #expect(try await client.get("/session/history?since=0").status == 410)
        #expect(try await client.get("/session/history?since=2")["commands"]?.array?.count == 1)
        // No user is logged in any more.
        try await client.post("/home", #"{"event":"logoutButtonPressed"}"#)
        #expect(loggedOut.value.count == 1)
        client.cookie = old
        #expect(try await client.get("/email").status == 401)
    }

    @Test func `another user who logs in finds nothing of the previous one`() async throws {
        let loggedOut = LockedValue<[ClientContext]>([])
        let credentials = FixedCredentials(["alice": "a", "bob": "b"])
        let client = TestClient(
            UnderstudyService(pages: Page.bundled(credentials: credentials)) {
                $0.onLogout = { client in loggedOut.change { $0.append(client) } }
            }
        )
        try await client.post("/email", form: "email=guest")
        try await client.post("/login", form: "username=alice&password=a")
        // A login keeps what the same client did before, and so does another login of the same user.
        #expect(try await client.get("/email")["values"] == ["email": "guest"])
        try await client.post("/login", form: "username=alice&password=a")
        #expect(try await client.get("/email")["values"] == ["email": "guest"])
        try await client.post("/login", form: "username=bob&password=b")
        #expect(try await client.get("/email")["values"] == [:])
        #expect(try await client.get("/session")["user"] == ["username": "bob"])
        #expect(loggedOut.value.map(\.user?.username) == ["alice"])
    }
}
