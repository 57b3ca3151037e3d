@testable import Understudy

struct UnderstudyServiceSessionsTests {
    let clock: ManualClock
    let service: UnderstudyService
    let client: TestClient

    init() {
        let clock = ManualClock()
        service = UnderstudyService(pages: Page.bundled(clock) + [CountingController.page]) { $0.clock = clock }
        self.clock = clock
        client = TestClient(service)
    }

    // MARK: Cookies

    @Test func `the first event starts a session and sets its cookie, and GET starts none`() async throws {
        for path in ["/login", "/session", "/session/history", "/livez", "/nowhere"] {
            try await client.get(path)
            #expect(client.cookie == nil)
        }
        let first = try await client.post("/email", "email=a")
        let id = try #require(client.cookie?.dropFirst("session=".count))
        #expect(id.utf8.count == 32)
        #expect(first.values("Set-Cookie") == ["session=\(id); Path=/; HttpOnly; SameSite=Lax"])
        let second = try await client.post("/email", "email=a")
        #expect(second.cookie == nil)
        #expect(try second["sequence"] == 1)
    }

    @Test(arguments: ["session=0123456789abcdef0123456789abcdef", "session=nonsense", "session=", "other=1"])
    func `an unknown cookie starts a new session`(cookie: String) async throws {
        client.cookie = cookie
        #expect(try await client.get("/email")["sequence"] == 0)
        #expect(try await client.post("/email", "email=a")["sequence"] == 1)
        #expect(client.cookie != cookie)
        #expect(try await client.get("/email")["sequence"] == 1)
    }

    @Test(arguments: [-3600, 3600])
    func `setting the clock changes nothing in sessions that are in memory`(seconds: Int64) async throws {
        try await client.logIn()
        clock.set(by: .seconds(seconds))
        service.removeExpiredSessions()
        let lifetime = service.configuration.sessions.lifetime
        #expect(try await client.get("/session")["expires"]?.string == (clock.now + lifetime).text)
        clock.advance(by: .seconds(30 * 60 - 1))
        service.removeExpiredSessions()
        #expect(service.liveSessions.count == 1)
        clock.advance(by: .seconds(1))
        service.removeExpiredSessions()
        #expect(service.liveSessions.count == 0)
    }

    // MARK: Tokens

    @Test func `POST /session returns a new token to any client, and sets no cookie`() async throws {
        try await client.post("/email", "email=a")
        var tokens: Set<String> = []
        for _ in 1...2 {
            let started = try await expect(client.post("/session"), 201)
            #expect(started.cookie == nil)
            #expect(try started.json.object?.map(\.name) == ["token"])
            let token = try #require(try started["token"]?.string)
            #expect(sessionToken(token) != nil)
            tokens.insert(token)
            client.token = token
        }
        #expect(tokens.count == 2)
    }

    @Test(arguments: ["0123456789abcdef0123456789abcdef", "nonsense", "expired", "deleted"])
    func `a token without a session gets 401`(token: String) async throws {
        let started = try await client.post("/session")["token"]?.string
        client.token = ["expired", "deleted"].contains(token) ? started : token
        if token == "expired" { clock.advance(by: .seconds(30 * 60)) }
        if token == "deleted" { try await expect(client.delete("/session"), 204) }
        for answer in try await [
            client.post("/email", "email=a"), client.get("/email"), client.get("/session"),
            client.get("/session/history"), client.delete("/session"),
        ] {
            try expect(answer, 401, "notAuthenticated")
            #expect(try answer["detail"]?.string?.hasPrefix("There is no such session: the token is unknown") == true)
            #expect(answer.cookie == nil)
        }
    }

    // MARK: Login

    @Test(arguments: [false, true])
    func `a login changes the cookie or the token, and keeps the pages`(hasToken: Bool) async throws {
        if hasToken { try await client.useNewToken() }
        try await client.post("/email", "email=a")
        let old = client.token ?? client.cookie
        let answer = try await client.logIn()
        let cookie = client.cookie?.dropFirst("session=".count)
        let id = try #require(hasToken ? answer["token"]?.string : cookie.map(String.init))
        #expect(answer.header("Set-Cookie") == (hasToken ? nil : "session=\(id); Path=/; HttpOnly; SameSite=Lax"))
        try expect(
            answer,
            is: #"""
                {"sequence":2,"ok":true,"commands":[
                  {"sequence":2,"page":"login","command":"goToPage","name":"Home","href":"/home"}]
                 \#(hasToken ? #","token":"\#(id)""# : "")}
                """#
        )
        if hasToken {
            try await expect(client.get("/email"), 401)
            client.token = id
        }
        #expect(client.token ?? client.cookie != old)
        #expect(try await client.get("/email")["values"] == ["email": "a"])
        try await expect(client.get("/session"), 200)
    }

    @Test(
        arguments: [
            (#"{"username":"batman","password":"bruce"}"#, true, "batman"),
            (#"{"username":"robin","password":"tim"}"#, true, "robin"),
            (#"{"username":"robin","password":"joker"}"#, false, "batman"),
        ] as [(String, Bool, Value)],
        [false, true]
    )
    func `another login changes the id again, unless it fails`(
        login: (body: String, changesID: Bool, user: Value),
        hasToken: Bool
    ) async throws {
        if hasToken { try await client.useNewToken() }
        func id(after body: String) async throws -> String? {
            let answer = try await client.post("/login", body)
            if hasToken { client.token = try answer["token"]?.string ?? client.token }
            return client.token ?? client.cookie
        }
        let first = try await id(after: #"{"username":"batman","password":"bruce"}"#)
        #expect(try await (id(after: login.body) != first) == login.changesID)
        #expect(try await client.get("/session")["user"] == ["username": login.user])
    }

    @Test func `a replayed response does not change the id again`() async throws {
        try await client.post("/email", "email=a")
        let first = try await client.logIn(key: "a")
        let cookie = client.cookie
        let again = try await client.logIn(key: "a")
        #expect(again.isReplayed)
        #expect(again.cookie == nil)
        #expect(again.text == first.text)
        #expect(client.cookie == cookie)
    }

    // MARK: GET /session

    @Test(arguments: [
        (Duration.seconds(12 * 3600), "2027-03-01T21:30:00Z", "2027-03-01T10:01:20Z"),
        (.seconds(90), "2027-03-01T09:31:30Z", "2027-03-01T09:31:30Z"),
    ])
    func `GET /session returns the user and when the session ends`(
        lifetime: Duration,
        expires: String,
        idleExpires: String
    ) async throws {
        let client = TestClient(pages: Page.bundled(clock)) { ($0.clock, $0.sessions.lifetime) = (clock, lifetime) }
        // The clock shows 2027-03-01T09:30:00.123Z.
        try await client.logIn()
        clock.advance(by: .seconds(80))
        try expect(
            await client.get("/session"),
            is: #"""
                {"authenticated":true,"user":{"username":"batman"},"expires":"\#(expires)","idleExpires":"\#(idleExpires)"}
                """#
        )
    }

    // MARK: History

    @Test func `the history returns the commands after a sequence`() async throws {
        try await client.post("/counter")
        try await client.post("/email", "email=a")
        let email = #"{"sequence":3,"page":"email","command":"render","key":"saveButtonEnabled","value":false}"#
        let all = #"""
            {"sequence":3,"commands":[
              {"sequence":1,"page":"counter","command":"render","key":"counting","value":1},
              {"sequence":2,"page":"counter","command":"render","key":"counted","value":1},
              \#(email)]}
            """#
        for query in ["", "?", "?since=0", "?a=b", "?a=b&since=0", "?since=0&since=2", "?since=00"] {
            try expect(await client.get("/session/history\(query)"), is: all)
        }
        // Also for a page that was never used.
        #expect(try await client.get("/signup")["sequence"] == 3)
        for (since, rest) in [("2", email), ("3", ""), ("4", ""), ("9223372036854775807", "")] {
            let answer = try await client.get("/session/history?since=\(since)")
            try expect(answer, is: #"{"sequence":3,"commands":[\#(rest)]}"#)
        }
    }

    @Test(arguments: [
        "", "=", "=a", "=-1", "=%2B1", "=+1", "=1.5", "=1e3", "=%2531", "=9223372036854775808", "=1 ", "=0x1",
    ])
    func `since must be a whole number, at least 0`(since: String) async throws {
        try await client.post("/counter")
        try await expect(client.get("/session/history?since\(since)"), 400, "invalidParameter")
    }

    @Test(arguments: [
        (nil, "The request names no session. POST /session starts one."),
        (
            "session=0123456789abcdef0123456789abcdef",
            "There is no such session: the cookie is unknown or has expired. POST /session starts a new one."
        ),
    ])
    func `without a session, the history gets 401`(cookie: String?, detail: String) async throws {
        client.cookie = cookie
        try await expect(client.get("/session/history"), 401, "notAuthenticated", ["detail": .string(detail)])
    }
}
