import TestSupport

@testable import Understudy

/// The users of a session, and when their sessions end.
@Suite struct SessionUsersTests {
    /// The clients whose credentials have been checked.
    private let checked = LockedValue<[ClientContext]>([])
    private let credentials: CredentialCheck
    private let loggedOut = LockedValue<[ClientContext]>([])
    private let service: UnderstudyService

    init() {
        let (checked, loggedOut) = (checked, loggedOut)
        credentials = CredentialCheck { username, password, client in
            checked.change { $0.append(client) }
            return password == "right" ? User(username: username, id: "id-of-" + username) : nil
        }
        service = UnderstudyService(pages: Page.bundled(credentials: credentials)) {
            $0.onLogout = { client in loggedOut.change { $0.append(client) } }
        }
    }

    private func loggedIn(as name: String) async throws -> Browser {
        let client = Browser(service)
        try await client.post("/login", form: "username=\(name)&password=right")
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
        let service = UnderstudyService(
            pages: Page.bundled(credentials: credentials) + [page]
        ) {
            $0.onLogout = { [loggedOut] client in loggedOut.change { $0.append(client) } }
        }
        ending.change { $0 = service }
        let (client, other) = (Browser(service), Browser(service))
        for browser in [client, other] { try await browser.post("/login", form: "username=lisa&password=right") }
        let answer = try await client.post("/account")
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""command":"goToPage""#))
        #expect(try await other.get("/session").status == 401)
        #expect(service.liveSessions.count == 1)
        #expect(loggedOut.value.count == 1)
        // The session of the answer has no user, and works.
        #expect(try await client.get("/session")["user"] == nil)
        #expect(try await client.post("/email", form: "email=a").status == 200)
        #expect(service.liveSessions.count == 1)
        ending.change { $0 = nil }
    }

    @Test func `after a second user logs in, the session belongs to that user`() async throws {
        let client = try await loggedIn(as: "lisa")
        try await client.post("/login", form: "username=bart&password=right")
        try await service.endSessions(ofUser: "id-of-lisa")
        #expect(try await client.get("/session").status == 200)
        try await service.endSessions(ofUser: "id-of-bart")
        #expect(try await client.get("/session").status == 401)
    }

    @Test func `the check of credentials gets the client's address, request ID and effect key`() async throws {
        let client = try await loggedIn(as: "lisa")
        try await client.post("/login", form: "username=bart&password=wrong")
        let request = Request(
            .post,
            "/login",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"username":"x","password":"y"}"#.utf8),
            id: "mine",
            clientAddress: IPAddress("203.0.113.7")
        )
        _ = await service.respond(to: request)
        let contexts = checked.value
        #expect(contexts.map(\.user?.username) == [nil, "lisa", nil])
        let key = contexts.last?.idempotencyKey
        #expect(key?.count == 32)
        #expect(
            contexts.last == ClientContext(address: IPAddress("203.0.113.7"), requestID: "mine", idempotencyKey: key)
        )
    }

    @Test func `onLogout gets the user who logged out`() async throws {
        let client = try await loggedIn(as: "lisa")
        _ = try await client.delete("/session")
        #expect(loggedOut.value.map(\.user?.id) == ["id-of-lisa"])
        let anonymous = Browser(service)
        try await anonymous.post("/email", form: "email=a")
        _ = try await anonymous.delete("/session")
        #expect(loggedOut.value.count == 1)
    }

    @Test(arguments: [
        ("lisa", "lisa"), ("lisa@rules.example", "lisa@rules.example"), ("a b", "a%20b"), ("100%25", "100%25"),
        ("J%C3%B6rg", "J%C3%B6rg"), ("a%0D%0Ab", "a%0D%0Ab"),
    ])
    func `the header with the user's name is percent-encoded`(form: String, header: String) async throws {
        let client = try await loggedIn(as: form)
        #expect(try await client.get("/session").header("Remote-User") == header)
    }
}

private typealias Browser = UnderstudyTests.TestClient
