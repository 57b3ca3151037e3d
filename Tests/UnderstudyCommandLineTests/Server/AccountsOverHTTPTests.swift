import Foundation
import Glibc
import HTTPTestClient
import Testing

/// Accounts over HTTP, with the executable and a real database.
@Suite(.timeLimit(.minutes(5))) struct AccountsOverHTTPTests {
    private static let cheap = ["--hash-memory", "64KiB", "--hash-iterations", "1"]
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("accounts-\(UUID().uuidString)")

    private func withAccounts(
        _ arguments: String...,
        body: (Program, UInt16) async throws -> Void
    ) async throws {
        let program = try Program(["serve", "--port", "0", "--data", folder.path] + Self.cheap + arguments)
        defer { program.kill() }
        let line = try #require(await program.output.next(containing: "Listening on "))
        try await body(program, try #require(line.split(separator: ":").last.flatMap { UInt16($0) }))
        program.send(SIGTERM)
        #expect(await program.result().status == 0)
    }

    /// Posts a form, without a cookie in a new session.
    private func post(
        _ path: String,
        _ form: String,
        _ port: UInt16,
        cookie: String = "none=none"
    ) async throws -> TestResponse {
        try await HTTPTestClient.request(
            "POST",
            path,
            headers: ["Host": "localhost", "Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie],
            body: Array(form.utf8),
            port: port
        )
    }

    private func signUp(_ email: String, _ password: String, _ port: UInt16) async throws -> TestResponse {
        try await post("/signup", "name=Lisa&email=\(email)&password=\(password)", port)
    }

    private func logIn(
        _ email: String,
        _ password: String,
        _ port: UInt16,
        cookie: String = "none=none"
    ) async throws -> TestResponse {
        try await post("/login", "username=\(email)&password=\(password)", port, cookie: cookie)
    }

    /// The header `Cookie` for the cookies that a response sets.
    private func cookie(of answer: TestResponse) throws -> String {
        let cookies = answer.headers.filter { $0.name.lowercased() == "set-cookie" }.map {
            $0.value.prefix { $0 != ";" }
        }
        try #require(!cookies.isEmpty)
        return cookies.joined(separator: "; ")
    }

    @Test func `a user can log in after a restart, and after a crash`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withAccounts { _, port async throws in
            #expect(
                try await signUp("lisa@rules.example", "eighteen-long-words", port).text.contains("signup.successful")
            )
        }
        try await withAccounts { _, port async throws in
            #expect(try await logIn("LISA@rules.example", "eighteen-long-words", port).text.contains("Home"))
            #expect(try await logIn("lisa@rules.example", "eighteen-long-word", port).text.contains("login.wrong"))
        }
        let crashing = try Program(["serve", "--port", "0", "--data", folder.path] + Self.cheap)
        let port = try await crashing.port
        #expect(try await signUp("bart@rules.example", "eighteen-long-words", port).text.contains("signup.successful"))
        crashing.send(SIGKILL)
        _ = await crashing.result()
        try await withAccounts { _, port async throws in
            #expect(try await logIn("bart@rules.example", "eighteen-long-words", port).text.contains("Home"))
        }
    }

    @Test func `a rejected password gets a response with the reason, and no account`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withAccounts { _, port async throws in
            #expect(try await signUp("lisa@rules.example", "bobcat", port).text.contains("signup.passwordTooShort"))
            #expect(try await logIn("lisa@rules.example", "bobcat", port).text.contains("login.wrongCredentials"))
        }
        try await withAccounts("--password-min", "8") { _, port async throws in
            #expect(try await signUp("lisa@rules.example", "bobcat123", port).text.contains("signup.successful"))
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let list = folder.appendingPathComponent("leaked.txt")
        // The SHA-1 of "bobcat1234567890".
        try Data("BFB139F5E5D937FE87F7EE0D14D7A47735917FEF:17\n".utf8).write(to: list)
        try await withAccounts("--leaked-passwords", list.path) { program, port async throws in
            #expect(try await signUp("bart@rules.example", "bobcat1234567890", port).text.contains("passwordLeaked"))
            #expect(try await signUp("bart@rules.example", "bobcat0123456789", port).text.contains("signup.successful"))
            #expect(truncate(list.path, 0) == 0)
            #expect(try await signUp("carl@rules.example", "bobcat1234567890", port).text.contains("signup.successful"))
            let warning = await program.errors.next(containing: "list of leaked passwords cannot be read")
            #expect(warning?.contains("it has become shorter") == true)
        }
    }

    @Test func `an account is throttled over all sessions and restarts, but not from a known device`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withAccounts { _, port async throws in
            #expect(try await signUp("lisa@rules.example", "eighteen-long-words", port).status == 200)
            let inside = try await cookie(of: logIn("lisa@rules.example", "eighteen-long-words", port))
            for _ in 1...5 { #expect(try await logIn("lisa@rules.example", "x", port).text.contains("login.wrong")) }
            #expect(try await logIn("lisa@rules.example", "eighteen-long-words", port).text.contains("login.wrong"))
            let device = try #require(inside.split(separator: "; ").first { $0.hasPrefix("device=") })
            let again = try await logIn("lisa@rules.example", "eighteen-long-words", port, cookie: String(device))
            #expect(again.text.contains("Home"))
            // The login has replaced the token.
            let old = try await logIn("lisa@rules.example", "eighteen-long-words", port, cookie: String(device))
            #expect(old.text.contains("login.wrong"))
            for _ in 1...5 { _ = try await logIn("lisa@rules.example", "x", port) }
        }
        try await withAccounts { _, port async throws in
            #expect(try await logIn("lisa@rules.example", "eighteen-long-words", port).text.contains("login.wrong"))
        }
    }

    @Test func `a client with too many sign-ups or failed logins gets 429`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withAccounts("--limit-loopback", "--failed-logins", "2/1h", "--signups", "1/1h") {
            _,
            port async throws in
            #expect(try await signUp("lisa@rules.example", "eighteen-long-words", port).status == 200)
            let second = try await signUp("bart@rules.example", "eighteen-long-words", port)
            #expect(second.status == 429)
            #expect((3500...3600).contains(Int(second.header("Retry-After") ?? "") ?? 0))
            for _ in 1...2 { #expect(try await logIn("lisa@rules.example", "x", port).status == 200) }
            #expect(try await logIn("lisa@rules.example", "eighteen-long-words", port).status == 429)
        }
    }

    @Test func `no password and no token is left anywhere`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var written = ""
        var tokens: [String] = []
        try await withAccounts("--log-level", "trace") { program, port async throws in
            for answer in [
                try await signUp("lisa@rules.example", "canary-at-the-sign-up", port),
                try await signUp("lisa@rules.example", "canary-at-another-sign-up", port),
                try await signUp("bart@rules.example", "canary-short", port),
                try await logIn("lisa@rules.example", "canary-at-the-sign-up", port),
                try await logIn("lisa@rules.example", "canary-that-is-wrong", port),
                try await logIn("typed-as-a-name", "canary-that-is-wrong", port),
                try await post("/signup", "event=passwordChanged&password=canary-while-typing", port),
            ] {
                #expect(!answer.text.contains("canary"))
                tokens += try cookie(of: answer).split(separator: "; ").map {
                    String($0.drop { $0 != "=" }.dropFirst())
                }
            }
            written = (program.output.all + program.errors.all).joined(separator: "\n")
        }
        // A session for each answer, and a device for the login that succeeded.
        #expect(tokens.count == 8)
        let files: [URL] = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
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
        #expect(kept.contains { $0.range(of: Data("lisa@rules.example".utf8)) != nil })
    }

    @Test func `while the database is not available, a client gets 503 with Retry-After`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withAccounts { program, port async throws in
            #expect(try await signUp("lisa@rules.example", "eighteen-long-words", port).status == 200)
            let file = folder.appendingPathComponent("understudy.sqlite").path
            try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
            let failed = [
                try await signUp("bart@rules.example", "eighteen-long-words", port),
                try await logIn("lisa@rules.example", "eighteen-long-words", port),
            ]
            for answer in failed {
                #expect(answer.status == 503)
                #expect(answer.header("Retry-After") == "1")
                #expect(answer.text.contains("\"unavailable\""))
                #expect(!answer.text.contains("sqlite"))
            }
            #expect(await program.errors.next(containing: "was moved or deleted") != nil)
            try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
            #expect(try await logIn("lisa@rules.example", "eighteen-long-words", port).text.contains("Home"))
            #expect(try await signUp("bart@rules.example", "eighteen-long-words", port).status == 200)
        }
    }

    @Test(arguments: [
        (["--database", "/nonexistent/a.sqlite"], "/nonexistent/a.sqlite", 1 as Int32),
        (["--database", "/etc/passwd"], "/etc/passwd", 1),
        (["--data", "/proc/nothing"], "/proc/nothing", 1),
        (["--leaked-passwords", "/nonexistent/list"], "/nonexistent/list", 1),
        (["--leaked-passwords", "/etc/passwd"], "/etc/passwd", 1),
        (["--password-min", "7"], "7", 64), (["--hash-memory", "1"], "0", 64), (["--hash-iterations", "17"], "17", 64),
    ])
    func `a file or a password setting that cannot be used is one line of error`(
        arguments: [String],
        names: String,
        status: Int32
    ) async throws {
        let result = try await Program.run(["serve", "--port", "0"] + arguments)
        #expect(result.status == status)
        #expect(result.output == [])
        #expect(result.errors.count == 1)
        #expect(result.errors.first?.hasPrefix("error: ") == true)
        #expect(result.errors.first?.contains(names) == true)
    }
}
