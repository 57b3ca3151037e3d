/// What a service for development tells the inspector, and what another service does not.
struct InspectionTests {
    let service = UnderstudyService { $0.isDevelopment = true }
    let client: TestClient

    init() { client = TestClient(service) }

    @Test(arguments: ["/session/inspection", "/session/recording"])
    func `only a service for development shows what a session stores`(path: String) async throws {
        let other = TestClient()
        try await other.post("/register", "userID=012345678912")
        try await expect(other.get(path), 404)
        try await client.post("/register", "userID=012345678912")
        try await expect(client.get(path), 200)
    }

    @Test func `the inspection contains the state of each controller and no secret`() async throws {
        try await client.logIn("joker")
        let snapshot = try #require(await client.get("/session/inspection")["snapshot"]?.string)
        #expect(snapshot.contains(#"\"failures\":1"#))
        #expect(!snapshot.contains("joker"))
    }

    @Test func `a client continues from an earlier state in another session`() async throws {
        try await client.post("/register", "userID=012345678912")
        let inspection = try await client.get("/session/inspection")
        try await client.post("/register", "userID=123456789012")
        let other = try #require(inspection["token"]?.string)

        try await expect(client.post("/session/inspection", inspection.text), 204)

        #expect(try await client.get("/register")["rendered"]?["userID"] == "012345678912")
        #expect(try await client.get("/session/inspection")["token"]?.string != other)
        try await expect(client.get("/session/recording"), 404)
        try await client.post("/register", "userID=999999999999")
        #expect(try await TestClient(service, token: other).get("/register")["rendered"]?["userID"] == "123456789012")
    }

    @Test func `what a browser finds in the HTML of a page is logged`() async throws {
        let log = LogCapture()
        let service = UnderstudyService(logger: log.logger) { $0.isDevelopment = true }
        let warning = "The page 'login' has no output 'mesage'."
        try await expect(TestClient(service).post("/session/inspection", "{\"warning\":\"\(warning)\"}"), 204)
        #expect(log.lines.compactMap { $0["reason"] } == [warning])
    }

    @Test func `a snapshot that the process has not made is rejected`() async throws {
        try await client.logIn("joker")
        let inspection = try await client.get("/session/inspection")
        let snapshot = try #require(inspection["snapshot"]?.string)
        let seal = try #require(inspection["seal"]?.string)
        for (snapshot, seal) in [
            (snapshot.replacing("\"failures\\\":1", with: "\"failures\\\":0"), seal), (snapshot, ""),
            (snapshot, String(seal.dropLast())), (snapshot, InspectionKey().seal(snapshot.bytes)), ("{}", ""),
        ] {
            let body = Value.object(["snapshot": .string(snapshot), "seal": .string(seal)]).json
            try await expect(client.post("/session/inspection", body.text), 400)
        }
        for body in ["{}", #"{"snapshot":1,"seal":"a"}"#, "[]", ""] {
            try await expect(client.post("/session/inspection", body), 400)
        }
        #expect(try await client.get("/session/inspection")["snapshot"]?.string?.contains(#"\"failures\":1"#) == true)
    }

    @Test func `a recording in memory contains what one in a folder does`() async throws {
        try await client.post("/register", "userID=012345678912")
        try await expect(client.post("/register", "event=unknown"), 422)
        try await client.logIn()
        let recorded = try await client.get("/session/recording")
        let recording = try Recording(recorded.body)
        #expect(recording.events.map(\.event.name) == ["textFieldDidEndEditing", "unknown", "loginButtonPressed"])
        #expect(recorded.text.contains(#""href":"/home""#))
        try await client.post("/home", "event=logoutButtonPressed")
        // The next user must not read what the former one has entered.
        try await expect(client.get("/session/recording"), 404, "notRecorded")
    }

    @Test func `a recording in memory ends when it is full, so that it has no gap`() async throws {
        let log = LogCapture()
        let client = TestClient(pages: [WordyController.page], logger: log.logger) { $0.isDevelopment = true }
        for number in 1...40 {
            try await expect(client.post("/wordy", "event=say&key=a&count=\(number < 40 ? 30_000 : 1)"), 200)
        }
        let recording = try await client.get("/session/recording").body
        #expect((1_000_000...1 << 20).contains(recording.count))
        #expect(try Recording(recording).events.count == 34)
        #expect(log.lines.first { $0.message == "A recording is full" }?["session"]?.count == 8)
    }

    @Test(arguments: [true, false])
    func `only a service for development says why an event has failed`(isDevelopment: Bool) async throws {
        let client = TestClient(pages: Page.bundled(repository: FailingRepository())) {
            $0.isDevelopment = isDevelopment
        }
        #expect(try await expect(client.post("/products"), 500)["detail"] == (isDevelopment ? "Outage()" : nil))
    }
}
