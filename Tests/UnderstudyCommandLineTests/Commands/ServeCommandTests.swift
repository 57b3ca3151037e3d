import Foundation
import Glibc
import TestSupport

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5))) struct ServeCommandTests {
    // MARK: Starting

    @Test func `a server prints where it listens and stores accounts, and starts without any account`() async throws {
        try await withServer { program, port in
            let storage = "Accounts are stored in \(program.data.path)/understudy.sqlite"
            #expect(await program.output.next() == storage)
            #expect(program.output.all == ["Listening on http://127.0.0.1:\(port)", storage])
            let live = try await get("/livez", port)
            #expect(live.status == 200)
            #expect(live.header("Strict-Transport-Security") == nil)
            let answer = try await post("/login", "username=batman&password=bruce", port)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("login.wrongCredentials"))
        }
    }

    @Test func `the demonstration prints a command to try, below the prefix if there is one`() async throws {
        try await withServer("--demo", "--path-prefix", "/understudy") { program, port in
            #expect(program.output.all.first == "Listening on http://127.0.0.1:\(port)/understudy")
            let line = await program.output.next(containing: "Try:")
            #expect(line == "Try: curl -d username=batman -d password=bruce localhost:\(port)/understudy/login")
            let answer = try await post("/understudy/login", "username=batman&password=bruce", port)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""name":"Home""#))
            let health = try await Application.bundled.run("healthcheck", "--port", "\(port)")
            #expect(health.status == 0)
        }
    }

    @Test(arguments: ["0.0.0.0", "::"])
    func `a server that listens on all addresses prints an address to try`(host: String) async throws {
        try await withServer("--demo", "--host", host) { program, port in
            let line = await program.output.next(containing: "Try:")
            #expect(line == "Try: curl -d username=batman -d password=bruce localhost:\(port)/login")
        }
    }

    @Test func `a server whose port for operators is taken announces nothing`() async throws {
        let other = try OtherServer(responding: nil)
        for _ in 1...5 {
            let result = try await Program.run(["serve", "--demo", "--port", "0", "--admin-port", "\(other.port)"])
            result.expect(status: 1, output: [])
            #expect(result.errors.last == "error: port \(other.port) on 127.0.0.1 is already in use")
        }
    }

    @Test func `a server listens on IPv6`() async throws {
        let program = try Program(["serve", "--port", "0", "--host", "::1", "--demo"])
        defer { program.kill() }
        guard let line = await program.output.next() else {
            // A machine without IPv6.
            #expect(await program.result().errors.first?.contains("cannot listen on ::1 port 0") == true)
            return
        }
        #expect(line.hasPrefix("Listening on http://[::1]:"))
        let port = line.split(separator: ":").last.map { $0.prefix(while: \.isNumber) } ?? ""
        #expect(try await Application.bundled.run("healthcheck", "--host", "::1", "--port", String(port)).status == 0)
        #expect(await program.output.next()?.contains(" [::1]:") == true)
    }

    @Test func `a server logs from the level of the setting`() async throws {
        try await withServer("--log-level", "error") { program, _ async throws in
            #expect(await program.end(SIGTERM).errors == [])
        }
        try await withServer("--log-level", "debug", "--loops", "1") { program, port in
            #expect(await program.errors.next()?.contains("loops=1 url=http://127.0.0.1:\(port)") == true)
            #expect(await program.end(SIGTERM).errors.count == 3)
        }
    }

    // MARK: Templates and static files

    @Test func `folders that the environment names are served, and a warning names other files`() async throws {
        let work = Workplace()
        _ = try work.file("login.mustache", #"<link rel="stylesheet" href="{{assets.own.css}}">"#)
        _ = try work.file("own.css", "p {}")
        let folders = ["UNDERSTUDY_TEMPLATES": work.folder.path, "UNDERSTUDY_ASSETS": work.folder.path]
        try await withServer(environment: folders) { program, port in
            let login = try await HTTPTestClient.request("GET", "/login", headers: ["Accept": "text/html"], port: port)
            #expect(String(decoding: login.body, as: UTF8.self).contains(#"href="/assets/own-"#))
            #expect(try await get("/assets/own.css", port).status == 200)
            let warning = await program.errors.next(containing: "A file is not served")
            #expect(warning?.contains("\(work.folder.path)/login.mustache") == true)
        }
    }

    @Test func `a file or a folder that cannot be used is one line of error, before anything is stored`() async throws {
        let (work, data) = (Workplace(), Workplace())
        let (folder, template) = (work.folder.path, try work.file("login.mustache", "<p>\n{{#a}}"))
        let inner = data.folder.path + "/assets"
        let serve = ["serve", "--port", "0", "--templates", folder]
        let result = try await Program.run(serve, environment: data.environment)
        #expect(result.status == 1)
        for (options, error) in [
            ("--templates \(folder)", "the template '\(template)' is invalid: line 2, column …"),
            ("--assets /no/such", "'/no/such' of 'assets' cannot be used: it does not exist, or cannot be read"),
            ("--templates \(template)", "'\(template)' of 'templates' cannot be used: expected a folder"),
            ("--templates \(data.folder.path) --assets \(inner)", "'\(inner)' of 'assets' cannot be used: …"),
            (
                "--translations /no/such",
                "The file '/no/such' of 'translations' cannot be read: No such file or directory."
            ),
            (
                "--tls-certificate /no/such --tls-key /no/such",
                "The file '/no/such' of 'tls-certificate' cannot be read: No such file or directory."
            ),
            ("--translations \(template)", "The file '\(template)' of 'translations' cannot be used: …"),
            ("--record /dev/null", "Sessions cannot be recorded: '/dev/null' cannot be written to: Not a directory."),
            ("--leaked-passwords /no/such", "The list of leaked passwords '/no/such' cannot be used: …"),
            (
                "--mail-url smtp://me@localhost --mail-from me@example.com --mail-password-file /no/such",
                "Mails cannot be sent with 'mail-url': the password for the mail server cannot be read from '/no/such'."
            ),
        ] {
            let words = options.split(separator: " ").map(String.init)
            let config = try await data.run(["config"] + words)
            #expect(config.status == (options.hasPrefix("--mail-url") ? 64 : 1))
            #expect(config.errors.count == 1)
            #expect(config.errors.first?.hasPrefix("error: " + error.prefix { $0 != "…" }) == true, "\(config.errors)")
            if options == "--templates \(folder)" { #expect(result.errors == config.errors) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.folder.path) == [])
    }

    // MARK: Stopping

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal stops the server cleanly, whatever connections are open`(signal: Int32) async throws {
        try await withServer { program, port in
            let connection = try await HTTPTestClient(port: port)
            #expect(try await connection.request("GET", "/livez").status == 200)
            let result = await program.end(signal)
            #expect(result.status == 0)
            #expect(result.errors.count == 1)
            #expect(result.errors.first?.contains("Stopping") == true)
            await #expect(throws: TestClientError.refused) { try await HTTPTestClient(port: port) }
        }
    }

    // MARK: Helpers

    private func get(_ path: String, _ port: UInt16) async throws -> TestResponse {
        try await HTTPTestClient.request("GET", path, port: port)
    }

    private func post(_ path: String, _ body: String, _ port: UInt16) async throws -> TestResponse {
        try await HTTPTestClient.request("POST", path, form: body, port: port)
    }
}
