/// Where an event leads, and for whom it runs.
struct DestinationTests {
    let representation = ["return=representation"]
    let showProducts = "event=productsButtonPressed"
    let client = TestClient()

    @Test func `with return=representation, an event shows the page that it goes to`() async throws {
        let answer = try await client.logIn(prefer: representation)
        #expect(try answer.commands.count == 1)
        #expect(try answer["next"] == ["page": "home", "href": "/home", "rendered": ["username": "batman"]])
        #expect(answer.text.hasSuffix("}\n") && !answer.text.hasSuffix("\n\n"))
        #expect(try await client.get("/home")["rendered"] == ["username": "batman"])
    }

    @Test func `the next page's event runs once for an event that is repeated with its key`() async throws {
        try await client.logIn()
        var sequences: [Value?] = []
        for _ in 1...2 {
            let answer = try await client.post("/home", showProducts, key: "k", prefer: representation)
            #expect(try answer["next"]?["page"] == "products")
            sequences += [try answer["sequence"], try await client.get("/home")["sequence"]]
        }
        #expect(sequences == [6, 6, 6, 6])
    }

    @Test func `a repeated event whose first response had no next page runs none`() async throws {
        try await client.logIn()
        let first = try await client.post("/home", showProducts, key: "k")
        let second = try await client.post("/home", showProducts, key: "k", prefer: representation)
        #expect(second.text == first.text)
        #expect(second.header("Preference-Applied") == nil)
        #expect(try await client.get("/home")["sequence"] == first["sequence"])
    }

    @Test func `without a preference, a client runs the next page's event itself`() async throws {
        #expect(try await client.logIn()["next"] == nil)
        #expect(try await client.get("/home")["rendered"] == [:])
    }

    @Test func `if the next page's event fails, it is logged, and the page only named`() async throws {
        let log = LogCapture()
        let pages = Page.bundled(credentials: FixedCredentials.demo, repository: FailingRepository())
        let client = TestClient(pages: pages, logger: log.logger)
        try await client.logIn()
        let answer = try await client.post("/home", showProducts, prefer: representation)
        #expect(try answer["next"] == ["page": "products", "href": "/products"])
        #expect(log.lines.map(\.message) == ["The request failed"])
        #expect(log.lines.first?["path"] == "/products")
    }

    @Test func `a page whose event reads what the command lacks is only named`() async throws {
        try await client.logIn()
        let answer = try await client.post("/home", "event=logoutButtonPressed", prefer: representation)
        #expect(try answer["next"] == ["page": "login", "href": "/login"])
    }

    @Test func `a client with a token gets the last one of the events`() async throws {
        try await client.useNewToken()
        let answer = try await client.logIn(prefer: representation)
        #expect(try answer["next"]?["rendered"] == ["username": "batman"])
        client.token = try answer["token"]?.string
        #expect(try await client.get("/home")["rendered"] == ["username": "batman"])
    }

    @Test func `an event that names its user does not run without this user`() async throws {
        let body = "event=emailChanged&email=a@b.de"
        try await expect(client.post("/email", body, user: "batman"), 401)
        #expect(try await client.get("/email")["values"] == [:])
        try await client.logIn()
        try await expect(client.post("/email", body, user: "robin"), 401)
        #expect(try await client.get("/email")["values"] == [:])
        try await expect(client.post("/email", body, user: "batman"), 200)
    }
}
