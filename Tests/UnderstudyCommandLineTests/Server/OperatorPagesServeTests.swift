import Foundation
import HTTPTestClient
import Testing

/// The pages on the port for operators.
@Suite(.timeLimit(.minutes(5))) struct OperatorPagesServeTests {
    private static let token = "correct-horse-battery-staple"
    private let workplace = Workplace()
    private let tokenFile: String

    init() throws {
        tokenFile = try workplace.file("token", "\(Self.token)\n")
    }

    private func withServer(
        usesPostgreSQL: Bool = false,
        _ options: [String] = ["--sessions", "database"],
        body: (ServerPorts, _ database: [String]) async throws -> Void
    ) async throws {
        let all = ["--admin-token-file", tokenFile] + options
        try await workplace.withOperatedServer(usesPostgreSQL: usesPostgreSQL, all, body: body)
    }

    /// Starts a server, which fails, with a file for its token.
    private func serve(_ tokenFile: String) async throws -> Program.Result {
        try await Program.run(
            ["serve", "--port", "0", "--admin-port", "0", "--admin-token-file", tokenFile],
            environment: workplace.environment
        )
    }

    /// Sends values as an event, with a token of a session.
    private func send(
        _ page: String,
        _ values: String,
        _ session: String? = nil,
        _ port: UInt16
    ) async throws -> TestResponse {
        try await HTTPTestClient.request(
            "POST",
            page,
            headers: [
                "Content-Type": "application/json",
                session == nil ? "X-Session" : "Authorization": session.map { "Bearer \($0)" } ?? "none",
            ],
            body: Array(values.utf8),
            port: port
        )
    }

    /// The token of a session in which an operator has logged in.
    private func logIn(_ port: UInt16, as name: String = "marge") async throws -> String {
        let session = try await newToken(port)
        let answer = try await send("/login", #"{"operator":"\#(name)","token":"\#(Self.token)"}"#, session, port)
        return try #require(answer.text.firstMatch(of: /"token":"([^"]+)"/).map { String($0.1) })
    }

    private func lastRecord(_ database: [String]) async throws -> String {
        try #require(try await workplace.auditRecords(database).last)
    }

    @Test(arguments: [false, true])
    func `an operator finds a user's session, sees its history, and ends it on the server`(usesPostgreSQL: Bool)
        async throws
    {
        try await withServer(usesPostgreSQL: usesPostgreSQL) { ports, database in
            let user = try #require(try await UnderstudyCommandLineTests.logIn(ports.users))
            let session = try await logIn(ports.operators)
            let overview = try await send("/home", #"{"event":"viewDidLoad"}"#, session, ports.operators)
            let server = try #require(overview.text.firstMatch(of: /"key":"nodes","value":\[\{"name":"([^"]+)"/)).1
            if usesPostgreSQL {
                let status = try await workplace.run(["database", "status"] + database)
                #expect(status.output.dropFirst().map { $0.prefix { $0 != ":" } } == ["server \(server)"])
                let text = try await HTTPTestClient.request("GET", "/status", port: ports.operators).text
                #expect(text.contains("\nSERVER ") && text.contains("\n\(server) "), "\(text)")
            }
            let list = try await send(
                "/sessions",
                #"{"event":"searchButtonPressed","values":{"account":"bruce@example.com"}}"#,
                session,
                ports.operators
            )
            let id = try #require(list.text.firstMatch(of: /"id":"([0-9a-f]{8})"/)).1
            let shown = try await send("/sessionDetails", #"{"session":"\#(id)"}"#, session, ports.operators)
            #expect(shown.text.contains(#""name":"username","value":"bruce@example.com""#))
            #expect(!shown.text.contains(Workplace.password))
            let end = #"{"event":"endButtonPressed","values":{"session":"\#(id)"}}"#
            #expect(
                try await send("/sessionDetails", end, session, ports.operators).text.contains("operator.sessionEnded")
            )
            #expect(try await post("/home", "event=viewDidLoad", user, ports.users).status == 401)
            #expect(try await lastRecord(database).contains(#""event":"sessionEnded""#))
            #expect(try await lastRecord(database).contains(#""address":"127.0.0.1","requestID":""#))
            #expect(try await lastRecord(database).contains(#""operator":"marge""#))
            _ = try await send("/home", #"{"event":"logoutButtonPressed"}"#, session, ports.operators)
            #expect(try await lastRecord(database).contains(#""event":"operatorLogout""#))
            #expect(try await lastRecord(database).contains(#""operator":"marge""#))
        }
    }

    @Test func `a change of an account applies to the server at once, and is recorded with the operator`() async throws
    {
        try await withServer(["--sessions", "memory"]) { ports, _ in
            let session = try await logIn(ports.operators)
            let user = try #require(try await UnderstudyCommandLineTests.logIn(ports.users))
            let disable = #"{"event":"disableButtonPressed","values":{"account":"bruce@example.com"}}"#
            let changed = try await send("/accountDetails", disable, session, ports.operators)
            #expect(changed.text.contains("operator.changed"))
            #expect(try await get("/session", user, ports.users).status == 401)
            #expect(try await UnderstudyCommandLineTests.logIn(ports.users) == nil)
            #expect(
                try await workplace.auditRecords().joined().contains(
                    /"reason":"disabled","address":"127.0.0.1","requestID":"[a-z0-9]+","operator":"marge"/
                )
            )
            let again = try await send("/accountDetails", disable, session, ports.operators)
            #expect(again.text.contains("operator.unchanged"))
            let role = #"{"event":"addRoleButtonPressed","values":{"account":"bruce@example.com","role":"not a role"}}"#
            #expect(
                try await send("/accountDetails", role, session, ports.operators).text.contains("operator.rejected")
            )
            #expect(try await workplace.run(["audit", "verify"]).status == 0)
        }
    }

    @Test func `a browser that prefers another language gets English pages, messages and problems`() async throws {
        try await withServer { ports, _ in
            let headers: KeyValuePairs = ["Accept": "text/html", "Accept-Language": "de"]
            for (path, status, text) in [
                ("/login", 200, "The audit log contains it"), ("/nowhere", 404, "There is no"),
            ] {
                let page = try await HTTPTestClient.request("GET", path, headers: headers, port: ports.operators)
                #expect(page.status == status)
                #expect(page.header("Content-Language") == "en")
                #expect(page.text.contains(#"<html lang="en""#), "\(page.text.prefix(200))")
                #expect(page.text.contains(text), "\(page.text)")
            }
            let wrong = try await HTTPTestClient.request(
                "POST",
                "/login",
                headers: ["Accept-Language": "de", "Content-Type": "application/x-www-form-urlencoded"],
                body: Array("operator=marge&token=wrong-token-of-this-length".utf8),
                port: ports.operators
            )
            #expect(wrong.text.contains("This is not the token of the server"), "\(wrong.text)")
        }
    }

    @Test func `a new token in the file ends the logins with the former one`() async throws {
        try await withServer { ports, _ in
            let session = try await logIn(ports.operators)
            let before = try await send("/accounts", #"{"event":"viewDidLoad"}"#, session, ports.operators)
            #expect(before.text.contains("bruce@example.com"))
            _ = try workplace.file("token", "another token of that length\n")
            // Also what a page has shown before.
            for path in ["/accounts", "/session", "/session/history"] {
                #expect(try await get(path, session, ports.operators).status == 401)
            }
            let after = try await send("/accounts", #"{"event":"viewDidLoad"}"#, nil, ports.operators)
            #expect(after.text.contains(#""href":"/login""#))
            #expect(!after.text.contains("bruce@example.com"))
            let wrong = #"{"operator":"marge","token":"\#(Self.token)"}"#
            #expect(try await send("/login", wrong, nil, ports.operators).text.contains("operator.wrongToken"))
            let record = try #require(try await workplace.auditRecords().last)
            #expect(record.contains(#""event":"operatorLoginFailed""#))
            #expect(!record.contains("marge"))
        }
    }

    @Test func `an address that enters ten wrong tokens must wait, also if it sends them at once`() async throws {
        try await withServer { ports, _ in
            for _ in 1...12 { _ = try await logIn(ports.operators) }
            let wrong = #"{"operator":"marge","token":"wrong"}"#
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 1...60 { group.addTask { try await send("/login", wrong, nil, ports.operators).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 200 } == 10)
            let right = #"{"operator":"marge","token":"\#(Self.token)"}"#
            #expect(try await send("/login", right, nil, ports.operators).status == 429)
        }
    }

    @Test func `metrics and probes need no token, and pages of one port are not on the other`() async throws {
        try await withServer { ports, _ in
            for path in ["/metrics", "/status", "/livez", "/readyz"] {
                #expect(try await HTTPTestClient.request("GET", path, port: ports.operators).status == 200)
            }
            #expect(try await HTTPTestClient.request("GET", "/register", port: ports.operators).status == 404)
            #expect(try await HTTPTestClient.request("GET", "/accounts", port: ports.users).status == 404)
            let page = try await HTTPTestClient.request("POST", "/session", port: ports.operators)
            #expect(page.text.contains(#""token""#))
        }
    }

    @Test func `the cookie of the application does not count on the port for operators`() async throws {
        try await withServer { ports, _ in
            let answer = try await HTTPTestClient.request(
                "GET",
                "/login",
                headers: ["Accept": "text/html", "Cookie": "session=abc"],
                port: ports.operators
            )
            #expect(answer.status == 200)
            #expect(answer.header("Set-Cookie")?.hasPrefix("operator=") == true)
        }
    }

    @Test(arguments: ["", "short\n", "a line of twenty bytes\nand another one\n"])
    func `a server with an unusable token does not start`(content: String) async throws {
        _ = try workplace.file("token", content)
        let result = try await serve(tokenFile)
        #expect(result.status == 1)
        #expect(result.errors.first?.contains("must contain one line of 20 to 1024 bytes") == true)
        let config = try await workplace.run(["config", "--admin-port", "0", "--admin-token-file", tokenFile])
        #expect(config.status == 1)
        #expect(config.errors.last == result.errors.last)
    }

    @Test func `a token that is no file is an error, and the server does not wait for the writer of a pipe`()
        async throws
    {
        let pipe = workplace.folder.appendingPathComponent("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, workplace.folder.path] {
            let result = try await serve(path)
            result.expect(status: 1, errors: ["error: '\(path)' of 'admin-token-file' is no file."])
        }
    }

    @Test func `a token without a port, or in a file that does not exist, is an error`() async throws {
        let off = try await workplace.run(["serve", "--admin-port", "off", "--admin-token-file", tokenFile])
        #expect(off.status == 64)
        #expect(off.errors.first?.contains("'--admin-port off'") == true)
        let missing = try await serve("/nowhere")
        #expect(missing.status == 1)
        #expect(missing.errors.first?.contains("No such file or directory") == true)
    }
}
