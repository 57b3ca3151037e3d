/// `serve --test-control`: the clock and the reset of a whole server.
@Suite(.fiveMinutes, .serialized) struct TestControlTests {
    let workplace = Workplace()

    /// Serves while `body` runs with the port of the service and that for operators.
    func withTestServer(
        _ arguments: [String] = [],
        _ body: (Program, UInt16, UInt16) async throws -> Void
    ) async throws {
        try await workplace.withServer(["--admin-port", "0", "--test-control"] + arguments) { program, port in
            try await body(program, port, program.operatorsPort)
        }
    }

    /// Sends JSON to an endpoint of the port for operators.
    func control(_ path: String, _ json: String, _ port: UInt16) async throws -> TestResponse {
        let type: KeyValuePairs = ["Content-Type": "application/json"]
        return try await HTTPTestClient.request("POST", path, headers: type, body: json.bytes, port: port)
    }

    func advance(_ duration: String, _ port: UInt16) async throws {
        try await control("/test/clock", #"{"advance":"\#(duration)"}"#, port).expect()
    }

    func reset(_ port: UInt16) async throws -> TestResponse {
        try await HTTPTestClient.request("POST", "/test/reset", port: port)
    }

    func stateRequest(_ path: String, _ state: String, _ port: UInt16) async throws -> TestResponse {
        try await control(path, #"{"state":"\#(state)"}"#, port)
    }

    func signUp(_ port: UInt16) async throws {
        let form = "name=Lisa&email=lisa@rules.example&password=forty+blue+candles"
        try await post("/signup", form, newToken(port), port).expect("signup.successful")
    }

    /// Whether the user can log in from a new session.
    func canLogIn(_ port: UInt16, password: String = "forty blue candles") async throws -> Bool {
        try await logIn(port, "lisa@rules.example", password) != nil
    }

    @Test(arguments: [["--demo"], [], ["--sessions", "database"]])
    func `locks and sessions follow a server's clock; a reset restores its start`(arguments: [String]) async throws {
        if arguments != ["--demo"] {
            try await workplace.add()
            let products = try workplace.file("products.jsonl", #"{"name":"Lamp","image":"lamp"}"#)
            try await workplace.run("products import", products).expect(status: 0)
        }
        let limits = ["--limit-loopback", "--signups", "1/1h"]
        try await withTestServer(arguments + limits) { program, port, admin async throws in
            #expect(program.errors.all.contains { $0.contains("This server is for tests") })
            for _ in 1...2 {
                let products = try await post("/products", "", newToken(port), port).text
                // The sign-up counts against the limit of the address, which the reset forgets.
                try await signUp(port)
                for _ in 1...5 { #expect(try await !canLogIn(port, password: "wrong")) }
                #expect(try await !canLogIn(port))
                try await advance("31s", admin)
                #expect(try await canLogIn(port))
                let token = try await newToken(port)
                try await get("/session/history", token, port).expect()
                // A database can contain a last use that is a millisecond later than the request.
                try await advance("1801s", admin)
                try await get("/session/history", token, port).expect(status: 401)

                let current = try await newToken(port)
                try await get("/session/history", current, port).expect()
                if arguments != ["--demo"] {
                    try await workplace.run("account delete --yes bruce@example.com").expect(status: 0)
                    #expect(try await logIn(port) == nil)
                    let other = try workplace.file("others.jsonl", #"{"name":"Chair","image":"chair"}"#)
                    try await workplace.run("products import", other).expect(status: 0)
                }
                try await reset(admin).expect(status: 204)
                try await get("/session/history", current, port).expect(status: 401)
                #expect(try await !canLogIn(port))
                try await get("/test/clock", admin).expect(#""advanced":0"#)
                #expect(try await post("/products", "", newToken(port), port).text == products)
                if arguments != ["--demo"] { #expect(try await logIn(port) != nil) }
                try await get("/readyz", port).expect()
            }
            await program.end(SIGTERM).expect(status: 0)
        }
    }

    @Test func `a reset restores the sessions that the server has restored at its start`() async throws {
        var token = ""
        try await withTestServer { program, port, _ async throws in
            token = try await newToken(port)
            try await post("/signup", "event=nameChanged&name=Lisa", token, port).expect()
            await program.end(SIGTERM)
        }
        try await withTestServer { _, port, admin async throws in
            for _ in 1...3 {
                try await get("/signup", token, port).expect(#""values":{"name":"Lisa"}"#)
                try await post("/signup", "event=nameChanged&name=Bart", token, port).expect()
                try await reset(admin).expect(status: 204)
            }
        }
    }

    @Test(arguments: [["--demo"], [], ["--sessions", "database"]])
    func `a reset to a state restores its accounts, failed logins and sessions`(arguments: [String]) async throws {
        try await withTestServer(arguments) { _, port, admin in
            func resetToLisa() async throws {
                try await stateRequest("/test/reset", "lisa", admin).expect(status: 204)
            }
            try await signUp(port)
            let anonymous = try await newToken(port)
            try await post("/signup", "event=nameChanged&name=Bart", anonymous, port).expect()
            let token = try await loggedIn(port, "lisa@rules.example", "forty blue candles")
            for _ in 1...4 { #expect(try await !canLogIn(port, password: "wrong")) }
            try await stateRequest("/test/save", "lisa", admin).expect(status: 204)

            for _ in 1...2 {
                try await post("/signup", "event=nameChanged&name=Homer", anonymous, port).expect()
                #expect(try await !canLogIn(port, password: "wrong"))
                #expect(try await !canLogIn(port))
                let bearer: KeyValuePairs = ["Authorization": "Bearer \(token)"]
                try await HTTPTestClient.request("DELETE", "/session", headers: bearer, port: port).expect(status: 204)
                if arguments != ["--demo"] {
                    try await workplace.run("account delete --yes lisa@rules.example").expect(status: 0)
                }
                try await resetToLisa()
                try await get("/signup", anonymous, port).expect(#""values":{"name":"Bart"}"#)
                try await get("/session", token, port).expect("lisa@rules.example")
                #expect(try await !canLogIn(port, password: "wrong"))
                #expect(try await !canLogIn(port))
                try await resetToLisa()
                #expect(try await canLogIn(port))

                try await reset(admin).expect(status: 204)
                try await get("/session", token, port).expect(status: 401)
                #expect(try await !canLogIn(port))
                try await resetToLisa()
            }
            #expect(try await stateRequest("/test/reset", "bart", admin).text.contains("The saved states are 'lisa'."))
        }
    }

    @Test func `a timer for which a client waits runs when the clock is advanced, and a reset ends the wait`()
        async throws
    {
        try await withTestServer(["--demo"]) { _, port, admin in
            let token = try await newToken(port)
            for _ in 1...5 { _ = try await post("/login", "username=batman&password=joker", token, port) }
            async let answer = get("/session/history?since=5&wait=50", token, port)
            try await advance("15m", admin)
            #expect(try await answer.text.contains("login.allowed"))
            async let ended = get("/session/history?since=6&wait=50", token, port)
            try await reset(admin).expect(status: 204)
            try await ended.expect(status: 401)
        }
    }

    @Test func `with PostgreSQL, an advanced clock stays reliable, and a reset is refused`() async throws {
        try await withTestServer(["--database", try Cluster.newDatabase()]) { _, port, admin async throws in
            try await signUp(port)
            let token = try await newToken(port)
            try await get("/session/history", token, port).expect()
            try await advance("2h", admin)
            try await get("/readyz", port).expect()
            try await get("/session/history", token, port).expect(status: 401)
            try await reset(admin).expect("A PostgreSQL database cannot be reset", status: 404)
            try await stateRequest("/test/save", "lisa", admin)
                .expect("A PostgreSQL database cannot be saved", status: 404)
            #expect(try await canLogIn(port))
        }
    }
}
