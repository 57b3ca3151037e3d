import MailTestSupport

/// The pages with which users recover and change their accounts, on servers that store each event before they respond.
@Suite(.fiveMinutes, .serialized) struct AccountFlowsTests {
    /// The database of the servers: a file, which has one server, or PostgreSQL with two.
    enum Kind: CaseIterable {
        case file, postgreSQL
    }

    let newPassword = "bleeding gums murphy plays"

    let workplace = Workplace()
    let server: SMTPTestServer
    let received = LockedValue<[SMTPTestServer.Record]>([])

    init() async throws { server = try await SMTPTestServer() }

    /// The options of a server that sends mails, also to confirm addresses.
    var mails: [String] {
        ["--mail-url", "smtp://127.0.0.1:\(server.port)", "--mail-from", "a@shop.example", "--confirm-addresses"]
    }

    /// Waits for so many mails with a code to an address, and returns the last code.
    func code(_ number: Int = 1, to address: String = "bruce@example.com") async throws -> String {
        while true {
            let codes = received.value.filter { $0.recipients == [address] }.compactMap { mail in
                mail.head?["Subject"]?.firstMatch(of: /^\d{8}\b/).map { String($0.0) }
            }
            if codes.count >= number, let last = codes.last { return last }
            received.append(try await server.next())
        }
    }

    /// Runs servers with one database, and passes the ports of two of them, which are the same with a file.
    func withServers(_ kind: Kind, body: (UInt16, UInt16, _ database: [String]) async throws -> Void) async throws {
        let options = ["--sessions", "database"] + mails
        switch kind {
        case .file: try await workplace.withServer(options) { _, port in try await body(port, port, []) }
        case .postgreSQL:
            let database = ["--database", try Cluster.newDatabase()]
            try await workplace.withServer(options + database) { _, one in
                try await workplace.withServer(options + database) { _, other in
                    try await body(one, other, database)
                }
            }
        }
    }

    func encoded(_ text: String) -> String { text.replacing(" ", with: "+") }

    /// Asks for a code with a new session, and returns its token and the code.
    func forgot(_ port: UInt16) async throws -> (token: String, code: String) {
        let token = try await newToken(port)
        try await post("/forgot", "email=bruce@example.com", token, port).expect("forgot.codeSent")
        return (token, try await code())
    }

    func reset(_ code: String, _ token: String, _ port: UInt16) async throws -> TestResponse {
        try await post("/reset", "code=\(code)&password=\(encoded(newPassword))", token, port)
    }

    @Test(arguments: Kind.allCases)
    func `a password works once its address is confirmed, also on another server`(_ kind: Kind) async throws {
        try await withServers(kind) { one, other, _ async throws in
            let token = try await newToken(one)
            let form = "name=Lisa&email=lisa@rules.example&password=\(encoded(Workplace.password))"
            try await post("/signup", form, token, one).expect(#""codeSent""#)
            #expect(try await logIn(other, "lisa@rules.example") == nil)
            let code = try await code(to: "lisa@rules.example")
            // In another session, the code is worth nothing.
            try await post("/verify", "code=\(code)", newToken(other), other).expect("verify.wrongCode")
            try await post("/verify", "code=\(code)", token, other).expect(#""verified""#, #""token":"#)
            #expect(try await logIn(one, "lisa@rules.example") != nil)
        }
    }

    @Test func `a client's recording does not show whether an address has an account`() async throws {
        try await workplace.add()
        try await workplace.withServer(mails + ["--record", workplace.path("recordings")]) { _, port in
            let signup = "name=Lisa&password=\(encoded(Workplace.password))"
            for (path, form, collaborator) in [("/forgot", "", "codes"), ("/signup", signup, "accounts")] {
                for address in ["bruce@example.com", "homer@example.com"] {
                    let token = try await newToken(port)
                    try await post(path, "\(form)&email=\(address)", token, port).expect("odeSent")
                    let text = try await get("/session/recording", token, port).text
                    #expect(text.contains("\"\(collaborator)\"") && !text.contains("$"), "\(text)")
                }
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `of two requests that use one code at once, one succeeds`(_ kind: Kind) async throws {
        try await withServers(kind) { one, other, database async throws in
            try await workplace.add("bruce@example.com", database)
            let (token, code) = try await forgot(one)
            async let first = reset(code, token, one)
            async let second = reset(code, token, other)
            let texts = [try await first.text, try await second.text]
            #expect(texts.count { $0.contains("reset.successful") } == 1, "\(texts)")
            #expect(texts.count { $0.contains("reset.wrongCode") } == 1, "\(texts)")
            #expect(try await logIn(other, "bruce@example.com", newPassword) != nil)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a reset ends the sessions on all servers`(_ kind: Kind) async throws {
        try await withServers(kind) { one, other, database async throws in
            try await workplace.add("bruce@example.com", database)
            let inside = try await loggedIn(other)
            try await get("/session", inside, other).expect()
            let (token, code) = try await forgot(one)
            try await reset(code, token, one).expect("reset.successful")
            try await get("/session", inside, other).expect(status: 401)
            #expect(try await logIn(other) == nil)
            // Also in a session of the account itself, which ends with the others.
            let own = try await loggedIn(one, "bruce@example.com", newPassword)
            try await post("/forgot", "email=bruce@example.com", own, one).expect()
            try await reset(self.code(2), own, other).expect("reset.successful")
            try await get("/session", own, one).expect(status: 401)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a user sees and ends their own sessions only, also on another server`(_ kind: Kind) async throws {
        try await withServers(kind) { one, other, database async throws in
            for name in ["bruce", "alfred"] { try await workplace.add("\(name)@example.com", database) }
            let own = try await loggedIn(one)
            let elsewhere = try await loggedIn(other)
            let stranger = try await loggedIn(other, "alfred@example.com")
            let shown = try await post("/account", "", own, one).text
            let pattern = /"id":"([0-9a-f]{32})",[^}]+"browser":"Firefox, Linux","isCurrent":(true|false)/
            let sessions = shown.matches(of: pattern).map { (id: String($0.1), isCurrent: $0.2 == "true") }
            #expect(sessions.count == 2, "\(shown)")
            #expect(sessions.count { $0.isCurrent } == 1)
            let current = try #require(sessions.first { $0.isCurrent }).id
            let remote = try #require(sessions.first { !$0.isCurrent }).id
            func end(_ id: String, _ token: String) async throws -> String {
                try await post("/account", "event=endSessionButtonPressed&session=\(id)", token, one).text
            }
            #expect(try await end(remote, stranger).contains("account.unknownSession"))
            #expect(try await end(current, own).contains("account.ownSession"))
            try await get("/session", elsewhere, other).expect()
            #expect(!(try await end(remote, own)).contains(remote))
            try await get("/session", elsewhere, other).expect(status: 401)
            try await get("/session", own, other).expect()
            #expect(try await end(remote, own).contains("account.unknownSession"))
        }
    }

    @Test(arguments: Kind.allCases)
    func `two servers accept a code of an app once`(_ kind: Kind) async throws {
        try await withServers(kind) { one, other, database async throws in
            let secret = OneTimeCodeSecret(bytes: [UInt8](1...20))
            let account = try Workplace.account("bruce@example.com", Workplace.app(secret: secret.bytes.base64URL))
            _ = try await workplace.run(["account", "import", "-"] + database, input: account)
            let code = try #require(secret.code(ofStep: Int(Date.now.timeIntervalSince1970) / 30))
            let form = "username=bruce@example.com&password=\(encoded(Workplace.password))"
            var tokens: [String] = []
            for port in [one, other] {
                let token = try await newToken(port)
                try await post("/login", form, token, port).expect(#""name":"secondFactor""#)
                tokens.append(token)
            }
            let (first, second) = (tokens[0], tokens[1])
            async let here = post("/secondFactor", "code=\(code)", first, one)
            async let there = post("/secondFactor", "code=\(code)", second, other)
            let texts = [try await here.text, try await there.text]
            #expect(texts.count { $0.contains(#""name":"Home""#) } == 1, "\(texts)")
            #expect(texts.count { $0.contains("secondFactor.wrong") } == 1, "\(texts)")
        }
    }
}
