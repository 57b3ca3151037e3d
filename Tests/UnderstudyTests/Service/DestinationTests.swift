import TestSupport

@testable import Understudy

/// Where an event leads, and for whom it runs.
@Suite struct DestinationTests {
    private static let credentials = FixedCredentials(["batman": "bruce"])
    private let client = TestClient(UnderstudyService(pages: Page.bundled(credentials: credentials)))

    @Test func `an event whose client prefers a representation also shows the page that it goes to`() async throws {
        let answer = try await client.logIn(prefer: ["return=representation"])
        #expect(try answer["commands"]?.array?.count == 1)
        #expect(try answer["next"] == ["page": "home", "href": "/home", "rendered": ["username": "batman"]])
        #expect(try await client.get("/home")["rendered"] == ["username": "batman"])
    }

    @Test func `the event of the next page runs once for an event that is repeated with its key`() async throws {
        try await client.logIn()
        var sequences: [Value?] = []
        for _ in 1...2 {
            let body = #"{"event":"productsButtonPressed"}"#
            let answer = try await client.post("/home", body, key: "k", prefer: ["return=representation"])
            #expect(try answer["next"]?["page"] == "products")
            sequences += [try answer["sequence"], try await client.get("/home")["sequence"]]
        }
        #expect(sequences == [6, 6, 6, 6])
    }

    @Test func `a repeated event whose first response had no next page runs none`() async throws {
        try await client.logIn()
        let body = #"{"event":"productsButtonPressed"}"#
        let first = try await client.post("/home", body, key: "k")
        let second = try await client.post("/home", body, key: "k", prefer: ["return=representation"])
        #expect(second.text == first.text)
        #expect(second.header("Preference-Applied") == nil)
        #expect(try await client.get("/home")["sequence"] == first["sequence"])
    }

    @Test func `a client that prefers nothing runs the event of the next page itself`() async throws {
        #expect(try await client.logIn()["next"] == nil)
        #expect(try await client.get("/home")["rendered"] == [:])
    }

    @Test func `an event of the next page that fails is logged, and the page is only named`() async throws {
        let log = LogCapture()
        let pages = Page.bundled(credentials: Self.credentials, repository: FailingRepository())
        let client = TestClient(UnderstudyService(pages: pages, logger: log.logger))
        try await client.logIn()
        let body = #"{"event":"productsButtonPressed"}"#
        let answer = try await client.post("/home", body, prefer: ["return=representation"])
        #expect(try answer["next"] == ["page": "products", "href": "/products"])
        #expect(log.lines.map(\.message) == ["The request failed"])
        #expect(log.lines.first?.metadata["path"] == "/products")
    }

    @Test func `a page whose default event reads what the command lacks is only named`() async throws {
        try await client.logIn()
        let body = #"{"event":"logoutButtonPressed"}"#
        let answer = try await client.post("/home", body, prefer: ["return=representation"])
        #expect(try answer["next"] == ["page": "login", "href": "/login"])
    }

    @Test func `a client with a token gets the last one that the events have resulted in`() async throws {
        client.token = try await client.post("/session")["token"]?.string
        let answer = try await client.logIn(prefer: ["return=representation"])
        #expect(try answer["next"]?["rendered"] == ["username": "batman"])
        client.token = try answer["token"]?.string
        #expect(try await client.get("/home")["rendered"] == ["username": "batman"])
    }

    @Test func `an event that names its user does not run without this user`() async throws {
        let body = #"{"event":"emailChanged","values":{"email":"a@b.de"}}"#
        #expect(try await client.post("/email", body, user: "batman").status == 401)
        #expect(try await client.get("/email")["values"] == [:])
        try await client.logIn()
        #expect(try await client.post("/email", body, user: "robin").status == 401)
        #expect(try await client.get("/email")["values"] == [:])
        #expect(try await client.post("/email", body, user: "batman").status == 200)
    }
}
