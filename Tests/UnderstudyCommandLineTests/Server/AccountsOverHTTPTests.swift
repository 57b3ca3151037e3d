/// Accounts over HTTP, with the executable and a real database.
@Suite(.fiveMinutes) struct AccountsOverHTTPTests {
    static let lisa = "lisa@rules.example"
    let workplace = Workplace()

    /// Sends a form in a new session, whose token the response gives in a cookie.
    func send(_ path: String, _ form: String, _ port: UInt16) async throws -> TestResponse {
        try await post(path, form, port, headers: ["Cookie": "none=none"])
    }

    func signUp(_ port: UInt16, _ password: String, as email: String = lisa) async throws -> TestResponse {
        try await send("/signup", "name=Lisa&email=\(email)&password=\(password)", port)
    }

    func logIn(_ port: UInt16, _ password: String, as email: String = lisa) async throws -> TestResponse {
        try await send("/login", "username=\(email)&password=\(password)", port)
    }

    /// The cookies that a response sets, each as `name=value`.
    func cookies(of answer: TestResponse) -> [String] {
        answer.values("Set-Cookie").map { String($0.prefix { $0 != ";" }) }
    }

    @Test func `a rejected password gets a response with the reason, and no account`() async throws {
        // The SHA-1 of "bobcat1234567890".
        let list = try workplace.file("leaked.txt", "BFB139F5E5D937FE87F7EE0D14D7A47735917FEF:17\n")
        try await workplace.withServer(["--password-min", "8", "--leaked-passwords", list]) {
            program,
            port async throws in
            try await signUp(port, "bobcat").expect("signup.passwordTooShort")
            try await logIn(port, "bobcat").expect("login.wrongCredentials")
            try await signUp(port, "bobcat123").expect("signup.successful")
            try await signUp(port, "bobcat1234567890", as: "bart@rules.example").expect("passwordLeaked")
            #expect(truncate(list, 0) == 0)
            try await signUp(port, "bobcat1234567890", as: "carl@rules.example").expect("signup.successful")
            let warning = await program.errors.next(containing: "list of leaked passwords cannot be read")
            #expect(warning?.contains("it has become shorter") == true)
        }
    }

    @Test func `no password and no token is left anywhere`() async throws {
        var written = ""
        var tokens: [String] = []
        try await workplace.withServer(["--log-level", "trace"]) { program, port async throws in
            for answer in [
                try await signUp(port, "canary-at-the-sign-up"),
                try await signUp(port, "canary-at-another-sign-up"),
                try await signUp(port, "canary-short", as: "bart@rules.example"),
                try await logIn(port, "canary-at-the-sign-up"),
                try await logIn(port, "canary-that-is-wrong"),
                try await logIn(port, "canary-that-is-wrong", as: "typed-as-a-name"),
                try await send("/signup", "event=passwordChanged&password=canary-while-typing", port),
            ] {
                #expect(!answer.text.contains("canary"))
                tokens += cookies(of: answer).map { String($0.drop { $0 != "=" }.dropFirst()) }
            }
            let result = await program.end(SIGTERM).expect(status: 0)
            written = (result.output + result.errors).text
        }
        // A session for each answer, and a device for the login that succeeded.
        #expect(tokens.count == 8)
        let files = try FileManager.default.contentsOfDirectory(at: workplace.folder, includingPropertiesForKeys: nil)
        #expect(files.map(\.lastPathComponent).contains("understudy.sqlite"))
        let kept: [Data] = try files.map { try Data(contentsOf: $0) } + [Data(written.utf8)]
        // What a user has typed into other fields is saved with the session, and is nowhere else.
        let name = Data("typed-as-a-name".utf8)
        for (file, data) in zip(files.map(\.lastPathComponent) + ["log"], kept) where data.range(of: name) != nil {
            #expect(file.hasPrefix("understudy.sqlite"), "\(file)")
        }
        for secret in ["canary"] + tokens {
            #expect(kept.allSatisfy { $0.range(of: Data(secret.utf8)) == nil }, "\(secret)")
        }
        #expect(kept.contains { $0.range(of: Data(Self.lisa.utf8)) != nil })
    }

    @Test(arguments: ["--database /nonexistent/a.sqlite", "--database /etc/passwd", "--data /proc/nothing"])
    func `a database that cannot be used is one line of error`(option: String) async throws {
        let result = try await Program.run(["serve", "--port", "0"] + option.words)
        result.expect(error: "…\(option.words[1])…", output: [])
    }
}
