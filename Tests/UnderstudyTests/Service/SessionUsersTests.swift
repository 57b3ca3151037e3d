@testable import Understudy

/// The users of a session, and when their sessions end.
struct SessionUsersTests {
    /// The clients whose credentials have been checked.
    let checked = LockedValue<[ClientContext]>([])
    let credentials: CredentialCheck
    let loggedOut = LockedValue<[ClientContext]>([])
    let service: UnderstudyService

    init() {
        let (checked, loggedOut) = (checked, loggedOut)
        credentials = CredentialCheck { username, password, client in
            checked.append(client)
            return password == "right" ? User(username: username, id: "id-of-" + username) : nil
        }
        service = UnderstudyService(pages: Page.bundled(credentials: credentials)) {
            $0.onLogout = { client in loggedOut.append(client) }
        }
    }

    func loggedIn(as name: String) async throws -> TestClient {
        let client = TestClient(service)
        try await client.post("/login", "username=\(name)&password=right")
        return client
    }

    @Test func `an event that ends its user's sessions is answered, and goes on without a user`() async throws {
        let ending = LockedValue<UnderstudyService?>(nil)
        // As a changed password does.
        let page = Page("account") { context in
            ActingController { controller in
                try await ending.value?.endSessions(ofUser: context.identity.user?.id ?? "")
                context.identity.user = nil
                controller.goToPage(.login)
            }
        }
        let service = UnderstudyService(pages: Page.bundled(credentials: credentials) + [page]) {
            $0.onLogout = { [loggedOut] client in loggedOut.append(client) }
        }
        ending.change { $0 = service }
        let (client, other) = (TestClient(service), TestClient(service))
        for browser in [client, other] { try await browser.post("/login", "username=lisa&password=right") }
        #expect(try await client.post("/account").commands.first?["command"] == "goToPage")
        try await expect(other.get("/session"), 401)
        #expect(service.liveSessions.count == 1)
        #expect(loggedOut.value.count == 1)
        // The session of the answer has no user, and works.
        #expect(try await client.get("/session")["user"] == nil)
        try await expect(client.post("/email", "email=a"), 200)
        #expect(service.liveSessions.count == 1)
        ending.change { $0 = nil }
    }

    @Test func `after a second user logs in, the session belongs to that user`() async throws {
        let client = try await loggedIn(as: "lisa")
        try await client.post("/login", "username=bart&password=right")
        try await service.endSessions(ofUser: "id-of-lisa")
        try await expect(client.get("/session"), 200)
        try await service.endSessions(ofUser: "id-of-bart")
        try await expect(client.get("/session"), 401)
    }

    @Test func `the check of credentials gets the client's address, ID and key`() async throws {
        try await loggedIn(as: "lisa").post("/login", "username=bart&password=wrong")
        let headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
        let body = "username=x&password=y".bytes
        let address = IPAddress("203.0.113.7")
        let request = Request(.post, "/login", headers: headers, body: body, id: "mine", clientAddress: address)
        _ = await service.respond(to: request)
        let contexts = checked.value
        #expect(contexts.map(\.user?.username) == [nil, "lisa", nil])
        let key = contexts.last?.idempotencyKey
        #expect(key?.count == 32)
        #expect(contexts.last == ClientContext(address: address, requestID: "mine", idempotencyKey: key))
    }

    @Test func `revocations are read before an event that may change the user, as is unknown of a page's first one`()
        async throws
    {
        let reads = LockedValue(0)
        let page = Page("own") { _ in ActingController { $0.goToPage(.home) } }
        let service = UnderstudyService(pages: Page.bundled(credentials: credentials) + [page]) {
            $0.followRevocations = { reads.change { $0 += 1 } }
        }
        let client = TestClient(service)
        for (path, body, expected) in [
            ("/register", "userID=a", 0), ("/own", "", 1), ("/own", "", 1),
            ("/login", "username=lisa&password=right", 2),
            ("/login", "username=lisa&password=right", 3),
        ] {
            try await client.post(path, body)
            #expect(reads.value == expected, "\(path)")
        }
    }

    @Test func `onLogout gets the user who logged out`() async throws {
        try await loggedIn(as: "lisa").delete("/session")
        #expect(loggedOut.value.map(\.user?.id) == ["id-of-lisa"])
        let anonymous = TestClient(service)
        try await anonymous.post("/email", "email=a")
        try await anonymous.delete("/session")
        #expect(loggedOut.value.count == 1)
    }

    @Test(arguments: ["lisa", "lisa@rules.example", "a%20b", "100%25", "J%C3%B6rg", "a%0D%0Ab"])
    func `the header with the user's name is percent-encoded`(name: String) async throws {
        #expect(try await loggedIn(as: name).get("/session").header("Remote-User") == name)
    }
}
