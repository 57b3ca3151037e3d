/// The values that the pages of a session share.
struct SessionValueTests {
    static let pages = [PhoneController.page, ProfileController.page]
    let service = UnderstudyService(pages: pages)

    func stored(_ client: TestClient) async throws -> Value? {
        try await client.post("/profile", "phone=%2B0").shown.first
    }

    @Test func `two pages of a session share a value, and two sessions do not`() async throws {
        let client = TestClient(service)
        try await client.post("/phone", "phone=%2B1")
        #expect(try await stored(client) == "+1")
        client.cookie = nil
        #expect(try await stored(client) == "")
    }

    @Test func `a value that grows fills the session, and the event is undone`() async throws {
        let client = TestClient(service)
        func note(_ count: Int) async throws -> Answer { try await client.post("/phone", "event=noted&count=\(count)") }
        try await expect(note(30_000), 200)
        #expect(try await note(40_000).code == "sessionFull")
        #expect(try await client.post("/profile", "event=counted").shown.first == 1)
        try await expect(note(100), 200)
    }

    @Test func `a recording of pages that share a value replays the same`() async throws {
        let recording = try await RecordingDirectory().record(Self.pages) { client in
            try await client.post("/phone", "phone=%2B1")
            #expect(try await stored(client) == "+1")
        }
        #expect(recording.events.count == 2)
        #expect(try await recording.findings(on: Self.pages) == [])
    }

    // MARK: Logging out

    let loggedOut = LockedValue<[ClientContext]>([])

    func client(_ pages: [Page]) -> TestClient {
        TestClient(pages: pages) { $0.onLogout = { [loggedOut] client in loggedOut.append(client) } }
    }

    @Test func `an event that logs the user out replaces the token and calls onLogout`() async throws {
        let client = client(Page.demo())
        try await client.logIn()
        let old = client.cookie
        try await client.post("/email", "email=a")
        #expect(client.cookie == old)
        #expect(loggedOut.value.isEmpty)
        try await expect(client.post("/home", "event=logoutButtonPressed"), 200)
        #expect(client.cookie != old)
        #expect(loggedOut.value.map(\.user?.username) == ["batman"])
        try await expect(client.get("/session"), 401)
        // The next user of the session finds nothing of the previous one.
        #expect(try await client.get("/email")["values"] == [:])
        #expect(try await client.get("/home")["rendered"] == [:])
        try await expect(client.get("/session/history?since=0"), 410)
        #expect(try await client.get("/session/history?since=2").commands.count == 1)
        // No user is logged in any more.
        try await client.post("/home", "event=logoutButtonPressed")
        #expect(loggedOut.value.count == 1)
        client.cookie = old
        try await expect(client.get("/email"), 401)
    }

    @Test func `another user who logs in finds nothing of the previous one`() async throws {
        let client = client(Page.bundled(credentials: FixedCredentials(["alice": "a", "bob": "b"])))
        try await client.post("/email", "email=guest")
        try await client.post("/login", "username=alice&password=a")
        // A login keeps what the same client did before, and so does another login of the same user.
        #expect(try await client.get("/email")["values"] == ["email": "guest"])
        try await client.post("/login", "username=alice&password=a")
        #expect(try await client.get("/email")["values"] == ["email": "guest"])
        try await client.post("/login", "username=bob&password=b")
        #expect(try await client.get("/email")["values"] == [:])
        #expect(try await client.get("/session")["user"] == ["username": "bob"])
        #expect(loggedOut.value.map(\.user?.username) == ["alice"])
    }
}
