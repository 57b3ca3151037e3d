/// The members `ok`, `errors` and `href` of the response to an event, and `Prefer: return=minimal`.
struct EventResponseTests {
    @Test func `a link contains the path prefix`() async throws {
        let client = TestClient { $0.pathPrefix = "/shop" }
        let answer = try await client.post("/shop/login", "username=batman&password=bruce")
        #expect(try answer.commands.first?["href"] == "/shop/home")
        #expect(try answer["ok"] == true)
        #expect(try answer["errors"] == nil)
    }

    @Test(
        arguments: [
            ["return=minimal"], ["RETURN=Minimal"], ["return=\"minimal\""], ["return=minimal; a=b"],
            ["respond-async, return=minimal"], ["wait=10,return = minimal ; x"], ["respond-async", "return=minimal"],
        ].map { ($0, true) }
            + [[], ["representation"], ["minimal"], ["return"], ["return=minimally"], [""]].map { ($0, false) }
    )
    func `only a client that prefers a minimal response gets no commands`(prefer: [String], isMinimal: Bool)
        async throws
    {
        let answer = try await TestClient().logIn("joker", prefer: prefer)
        #expect(answer.header("Preference-Applied") == (isMinimal ? "return=minimal" : nil))
        #expect(try answer.commands.count == (isMinimal ? 0 : 1))
        #expect(try answer["sequence"] == 1)
        #expect(try answer["ok"] == false)
        #expect(try answer["errors"]?.array?.first?["code"] == "login.wrongCredentials")
    }

    @Test func `a minimal response is repeated with its confirmation`() async throws {
        let client = try await TestClient.withToken(UnderstudyService(pages: Page.demo()))
        let first = try await client.post("/email", "email=a", key: "a", prefer: ["return=minimal"])
        let again = try await client.post("/email", "email=a", key: "a", prefer: ["return=minimal"])
        #expect(try first["commands"] == [])
        #expect(again.body == first.body)
        #expect(again.isReplayed)
        #expect(again.header("Preference-Applied") == "return=minimal")
    }

    // MARK: Fields

    let client = TestClient(pages: [PhoneController.page, ProfileController.page])

    @Test func `a form's empty number is absent, and its box that is not ticked is off, also after an earlier form`()
        async throws
    {
        #expect(try await client.post("/phone", "phone=%2B49&attempts=").shown.first == "+49, 1, false")
        try await client.post("/phone", "phone=%2B1&newsletter=on")
        #expect(try await client.post("/phone", "phone=%2B1").shown.first == "+1, 1, false")
        #expect(try await client.get("/phone")["values"]?["newsletter"] == false)
    }

    @Test func `a form whose plus sign became a space gets a hint`() async throws {
        let answer = try await expect(client.post("/phone", "phone=+49 30"), 422, "wrongFieldType", ["field": "phone"])
        #expect(try answer["detail"]?.string?.contains("Send + as %2B.") == true)
        for other in try await [client.post("/phone", #"{"phone":" 49"}"#), client.post("/phone", "phone=49")] {
            #expect(try other["detail"]?.string?.contains("%2B") == false)
        }
    }

    // MARK: Undeclared commands

    @Test func `a command that the event does not declare is sent, and logged once, up to 256 of them`() async throws {
        let log = LogCapture()
        let client = TestClient(pages: [WordyController.page], logger: log.logger)
        for _ in 1...3 { #expect(try await client.post("/wordy", "event=say&key=a&count=1").commands.count == 1) }
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.level == .warning)
        #expect(log.lines.first?.metadata == ["page": "wordy", "event": "say", "use": "render a"])
        for index in 1...300 { try await client.post("/wordy", "event=say&key=\(index)&count=1") }
        #expect(log.lines.count == 256)
    }
}
