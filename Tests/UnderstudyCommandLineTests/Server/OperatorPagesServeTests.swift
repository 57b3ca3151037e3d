import Foundation
import TestSupport

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

    @Test func `an operator finds a user's session, sees its history, and ends it on the server`() async throws {
        try await withServer(usesPostgreSQL: true) { ports, database in
            let user = try #require(try await UnderstudyCommandLineTests.logIn(ports.users))
            let session = try await logIn(ports.operators)
            let overview = try await send("/home", #"{"event":"viewDidLoad"}"#, session, ports.operators)
            let server = try #require(overview.text.firstMatch(of: /"key":"nodes","value":\[\{"name":"([^"]+)"/)).1
            let status = try await workplace.run(["database", "status"] + database)
            #expect(status.output.dropFirst().map { $0.prefix { $0 != ":" } } == ["server \(server)"])
            let text = try await HTTPTestClient.request("GET", "/status", port: ports.operators).text
            #expect(text.contains("\nSERVER ") && text.contains("\n\(server) "), "\(text)")
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

    @Test func `a change of an account applies to the server at once, and the operator is recorded`() async throws {
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
            #expect(try await workplace.run(["audit", "verify"]).status == 0)
        }
    }

    @Test func `the operators' port has its own pages and cookie, and metrics without a token`() async throws {
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
                headers: ["Accept-Language": "de"],
                form: "operator=marge&token=wrong-token-of-this-length",
                port: ports.operators
            )
            #expect(wrong.text.contains("This is not the token of the server"), "\(wrong.text)")
            // The cookie of the application does not count.
            let cookie: KeyValuePairs = ["Accept": "text/html", "Cookie": "session=abc"]
            let login = try await HTTPTestClient.request("GET", "/login", headers: cookie, port: ports.operators)
            #expect(login.status == 200)
            #expect(login.header("Set-Cookie")?.hasPrefix("operator=") == true)
            for path in ["/metrics", "/status", "/livez", "/readyz"] {
                #expect(try await HTTPTestClient.request("GET", path, port: ports.operators).status == 200)
            }
            for (path, port) in [("/register", ports.operators), ("/accounts", ports.users)] {
                #expect(try await HTTPTestClient.request("GET", path, port: port).status == 404)
            }
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

    @Test func `a demonstration shows its accounts in memory, and the names of the sessions' users`() async throws {
        let options = ["--demo", "--admin-port", "0", "--admin-token-file", tokenFile]
        try await UnderstudyCommandLineTests.withServer(options) { program, port in
            let operators = try await program.operatorsPort
            let session = try await logIn(operators)
            let form = "name=Lisa&email=lisa@rules.example&password=eighteen-long-words"
            let signup = try await HTTPTestClient.request("POST", "/signup", form: form, port: port)
            #expect(signup.status == 200, "\(signup.text)")
            let values = "username=lisa@rules.example&password=eighteen-long-words"
            #expect(try await HTTPTestClient.request("POST", "/login", form: values, port: port).status == 200)
            for page in ["accounts", "sessions"] {
                let shown = try await send("/\(page)", #"{"event":"viewDidLoad"}"#, session, operators)
                #expect(shown.text.contains(#""username":"lisa@rules.example""#), "\(shown.text)")
            }
            let mails = try await send("/mails", #"{"event":"viewDidLoad"}"#, session, operators)
            #expect(mails.text.contains(#""key":"mails","value":[]"#), "\(mails.text)")
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

    @Test func `a file without a token, or a pipe, is an error for which no server waits`() async throws {
        let pipe = workplace.folder.appendingPathComponent("pipe").path
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
            let config = try await workplace.run("config", "--admin-port", "0", "--admin-token-file", file)
            #expect(config.status == 1)
            #expect(config.errors.last?.contains(error) == true, "\(name): \(config.errors)")
            let serve = ["serve", "--port", "0", "--admin-port", "0", "--admin-token-file", file]
            let result = try await Program.run(serve, environment: workplace.environment)
            result.expect(status: 1, errors: Array(config.errors.suffix(1)))
        }
        let off = try await workplace.run("serve", "--admin-port", "off", "--admin-token-file", tokenFile)
        #expect(off.status == 64)
        #expect(off.errors.first?.contains("'--admin-port off'") == true)
    }
}
