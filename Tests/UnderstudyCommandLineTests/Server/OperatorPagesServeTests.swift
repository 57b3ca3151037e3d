/// The pages on the port for operators.
@Suite(.fiveMinutes) struct OperatorPagesServeTests {
    let token = "correct-horse-battery-staple"
    let workplace = Workplace()
    let tokenFile: String

    init() throws { tokenFile = try workplace.file("token", "\(token)\n") }

    func withServer(
        usesPostgreSQL: Bool = false,
        _ options: [String] = ["--sessions", "database"],
        body: (ServerPorts, _ database: [String]) async throws -> Void
    ) async throws {
        let all = ["--admin-token-file", tokenFile] + options
        try await workplace.withOperatedServer(usesPostgreSQL: usesPostgreSQL, all, body: body)
    }

    /// A client of the port for operators, with the token of its session.
    struct Client {
        let port: UInt16
        var session: String?

        /// Sends values as an event.
        func send(_ page: String, _ values: String) async throws -> TestResponse {
            try await HTTPTestClient.request(
                "POST",
                page,
                headers: [
                    "Content-Type": "application/json",
                    session == nil ? "X-Session" : "Authorization": session.map { "Bearer \($0)" } ?? "none",
                ],
                body: values.bytes,
                port: port
            )
        }

        /// Sends an event to a page, about an object if there are values.
        func send(_ page: String, event: String, _ values: String = "{}") async throws -> TestResponse {
            try await send(page, #"{"event":"\#(event)","values":\#(values)}"#)
        }
    }

    var credentials: String { #"{"operator":"marge","token":"\#(token)"}"# }

    /// A client whose operator has logged in.
    func logIn(_ port: UInt16) async throws -> Client {
        var client = Client(port: port, session: try await newToken(port))
        client.session = try #require(await client.send("/login", credentials).token) as String
        return client
    }

    @Test func `an operator finds a user's session, sees its history, and ends it on the server`() async throws {
        try await withServer(usesPostgreSQL: true) { ports, database in
            let user = try await loggedIn(ports.users)
            let marge = try await logIn(ports.operators)
            let overview = try await marge.send("/home", event: "viewDidLoad")
            let server = try #require(overview.text.firstMatch(of: /"key":"nodes","value":\[\{"name":"([^"]+)"/)).1
            let status = try await workplace.run(["database", "status"] + database)
            #expect(status.output.dropFirst().map { $0.prefix { $0 != ":" } } == ["server \(server)"])
            let text = try await get("/status", ports.operators).text
            #expect(text.contains("\nSERVER ") && text.contains("\n\(server) "), "\(text)")
            let search = #"{"account":"bruce@example.com"}"#
            let list = try await marge.send("/sessions", event: "searchButtonPressed", search)
            let id = try #require(list.text.firstMatch(of: /"id":"([0-9a-f]{8})"/)).1
            let shown = try await marge.send("/sessionDetails", #"{"session":"\#(id)"}"#)
            #expect(shown.text.contains(#""name":"username","value":"bruce@example.com""#))
            #expect(!shown.text.contains(Workplace.password))
            try await marge.send("/sessionDetails", event: "endButtonPressed", #"{"session":"\#(id)"}"#)
                .expect("operator.sessionEnded")
            try await post("/home", "event=viewDidLoad", user, ports.users).expect(status: 401)
            _ = try await marge.send("/home", event: "logoutButtonPressed")
            let records = try await workplace.auditRecords(database).suffix(2)
            let ending = /"event":"sessionEnded".*"address":"127.0.0.1","requestID":".*"operator":"marge"/
            #expect(records.first?.contains(ending) == true)
            #expect(records.last?.contains(/"event":"operatorLogout".*"operator":"marge"/) == true)
        }
    }

    @Test func `a change of an account applies to the server at once, and the operator is recorded`() async throws {
        try await withServer(["--sessions", "memory"]) { ports, _ in
            let marge = try await logIn(ports.operators)
            let user = try await loggedIn(ports.users)
            let bruce = #"{"account":"bruce@example.com"}"#
            try await marge.send("/accountDetails", event: "disableButtonPressed", bruce).expect("operator.changed")
            try await get("/session", user, ports.users).expect(status: 401)
            #expect(try await UnderstudyCommandLineTests.logIn(ports.users) == nil)
            let record = /"reason":"disabled","address":"127.0.0.1","requestID":"[a-z0-9]+","operator":"marge"/
            #expect(try await workplace.auditRecords().joined().contains(record))
            try await workplace.run("audit verify").expect(status: 0)
        }
    }

    @Test func `the operators' port has its own pages and cookie, and metrics without a token`() async throws {
        try await withServer { ports, _ in
            let headers: KeyValuePairs = ["Accept": "text/html", "Accept-Language": "de"]
            for (path, status, text) in [
                ("/login", 200, "The audit log contains it"), ("/nowhere", 404, "There is no"),
            ] {
                let page = try await get(path, ports.operators, headers: headers)
                page.expect(#"<html lang="en""#, text, status: status)
                #expect(page.header("Content-Language") == "en")
            }
            let form = "operator=marge&token=wrong-token-of-this-length"
            try await post("/login", form, ports.operators, headers: ["Accept-Language": "de"])
                .expect("This is not the token of the server")
            // The cookie of the application does not count.
            let cookie: KeyValuePairs = ["Accept": "text/html", "Cookie": "session=abc"]
            let login = try await get("/login", ports.operators, headers: cookie).expect()
            #expect(login.header("Set-Cookie")?.hasPrefix("operator=") == true)
            for path in ["/metrics", "/status", "/livez", "/readyz"] {
                try await get(path, ports.operators).expect()
            }
            for (path, port) in [("/register", ports.operators), ("/accounts", ports.users)] {
                try await get(path, port).expect(status: 404)
            }
        }
    }

    @Test func `a new token in the file ends the logins with the former one`() async throws {
        try await withServer { ports, _ in
            let marge = try await logIn(ports.operators)
            try await marge.send("/accounts", event: "viewDidLoad").expect("bruce@example.com")
            try workplace.file("token", "another token of that length\n")
            // Also what a page has shown before.
            for path in ["/accounts", "/session", "/session/history"] {
                try await get(path, marge.session ?? "", ports.operators).expect(status: 401)
            }
            let stranger = Client(port: ports.operators)
            let after = try await stranger.send("/accounts", event: "viewDidLoad")
            #expect(after.text.contains(#""href":"/login""#))
            #expect(!after.text.contains("bruce@example.com"))
            try await stranger.send("/login", credentials).expect("operator.wrongToken")
            let record = try #require(await workplace.auditRecords().last)
            #expect(record.contains(#""event":"operatorLoginFailed""#))
            #expect(!record.contains("marge"))
        }
    }

    @Test func `a demonstration shows its accounts in memory, and the names of the sessions' users`() async throws {
        let options = ["--demo", "--admin-port", "0", "--admin-token-file", tokenFile]
        try await UnderstudyCommandLineTests.withServer(options) { program, port in
            let marge = try await logIn(program.operatorsPort)
            try await post("/signup", "name=Lisa&email=lisa@rules.example&password=eighteen-long-words", port).expect()
            try await post("/login", "username=lisa@rules.example&password=eighteen-long-words", port).expect()
            for page in ["accounts", "sessions"] {
                try await marge.send("/\(page)", event: "viewDidLoad").expect(#""username":"lisa@rules.example""#)
            }
            try await marge.send("/mails", event: "viewDidLoad").expect(#""key":"mails","value":[]"#)
        }
    }

    @Test func `an address that enters ten wrong tokens must wait, also if it sends them at once`() async throws {
        try await withServer { ports, _ in
            for _ in 1...12 { _ = try await logIn(ports.operators) }
            let stranger = Client(port: ports.operators)
            let statuses = try await concurrently(60) { _ in
                try await stranger.send("/login", #"{"operator":"marge","token":"wrong"}"#).status
            }
            #expect(statuses.count { $0 == 200 } == 10)
            try await stranger.send("/login", credentials).expect(status: 429)
        }
    }

    @Test func `a file without a token, or a pipe, is an error for which no server waits`() async throws {
        let pipe = workplace.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let folder = workplace.folder.path
        let content = "must contain one line of 20 to 1024 bytes"
        for (name, file, error) in [
            ("empty", try workplace.file("empty", ""), content),
            ("short", try workplace.file("short", "short\n"), content),
            ("two", try workplace.file("two", "a line of twenty bytes\nand another one\n"), content),
            ("pipe", pipe, "'\(pipe)' of 'admin-token-file' is no file."),
            ("folder", folder, "'\(folder)' of 'admin-token-file' is no file."),
            ("missing", "/nowhere", "No such file or directory"),
        ] {
            let config = try await workplace.run("config --admin-port 0 --admin-token-file", file).expect(status: 1)
            #expect(config.errors.last?.contains(error) == true, "\(name): \(config.errors)")
            let serve = ["serve", "--port", "0", "--admin-port", "0", "--admin-token-file", file]
            let result = try await Program.run(serve, environment: workplace.environment)
            result.expect(status: 1, errors: Array(config.errors.suffix(1)))
        }
        let off = try await workplace.run("serve --admin-port off --admin-token-file", tokenFile)
        off.expect(error: "…'--admin-port off'…", status: 64)
    }
}
