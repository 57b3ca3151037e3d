@Suite(.fiveMinutes) struct ServeCommandTests {
    // MARK: Starting

    @Test func `a server prints where it listens and stores accounts, and starts without any account`() async throws {
        try await withServer { program, port in
            let storage = "Accounts are stored in \(program.data.path)/understudy.sqlite"
            #expect(await program.output.next() == storage)
            #expect(program.output.all == ["Listening on http://127.0.0.1:\(port)", storage])
            #expect(try await get("/livez", port).expect().header("Strict-Transport-Security") == nil)
            try await post("/login", "username=batman&password=bruce", port).expect("login.wrongCredentials")
        }
    }

    @Test(arguments: [
        ("--path-prefix /understudy", "127.0.0.1", "/understudy"), ("--host 0.0.0.0", "0.0.0.0", ""),
        ("--host ::", "[::]", ""),
    ])
    func `the demonstration prints a command to try, below the prefix if there is one`(
        options: String,
        host: String,
        prefix: String
    ) async throws {
        try await withServer(["--demo"] + options.words) { program, port in
            #expect(program.output.all.first == "Listening on http://\(host):\(port)\(prefix)")
            let line = await program.output.next(containing: "Try:")
            #expect(line == "Try: curl -d username=batman -d password=bruce localhost:\(port)\(prefix)/login")
            try await post("\(prefix)/login", "username=batman&password=bruce", port).expect(#""name":"Home""#)
            try await understudy("healthcheck --port \(port)").expect(status: 0)
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
        try await understudy("healthcheck --host ::1 --port \(port)").expect(status: 0)
        #expect(await program.output.next()?.contains(" [::1]:") == true)
    }

    // MARK: Templates and static files

    @Test func `folders that the environment names are served, and a warning names other files`() async throws {
        let work = Workplace()
        try work.file("login.mustache", #"<link rel="stylesheet" href="{{assets.own.css}}">"#)
        try work.file("own.css", "p {}")
        let folders = ["UNDERSTUDY_TEMPLATES": work.folder.path, "UNDERSTUDY_ASSETS": work.folder.path]
        try await withServer(environment: folders) { program, port in
            try await get("/login", port, headers: ["Accept": "text/html"]).expect(#"href="/assets/own-"#)
            try await get("/assets/own.css", port).expect()
            let warning = await program.errors.next(containing: "A file is not served")
            #expect(warning?.contains("\(work.folder.path)/login.mustache") == true)
        }
    }

    @Test func `a file or a folder that cannot be used is one line of error, before anything is stored`() async throws {
        let (work, data) = (Workplace(), Workplace())
        let (folder, template) = (work.folder.path, try work.file("login.mustache", "<p>\n{{#a}}"))
        let inner = data.path("assets")
        let serve = ["serve", "--port", "0", "--templates", folder]
        let result = try await Program.run(serve, environment: data.environment).expect(status: 1)
        for (options, error) in [
            ("--templates \(folder)", "the template '\(template)' is invalid: line 2, column …"),
            ("--assets /no/such", "'/no/such' of 'assets' cannot be used: it does not exist, or cannot be read"),
            ("--templates \(template)", "'\(template)' of 'templates' cannot be used: expected a folder"),
            ("--templates \(data.folder.path) --assets \(inner)", "'\(inner)' of 'assets' cannot be used: …"),
            ("--translations /no/such", "The file '/no/such' of 'translations' cannot be read: No such file…"),
            ("--tls-certificate /no/such --tls-key /x", "The file '/no/such' of 'tls-certificate' cannot be read: …"),
            ("--translations \(template)", "The file '\(template)' of 'translations' cannot be used: …"),
            ("--record /dev/null", "Sessions cannot be recorded: '/dev/null' cannot be written to: Not a directory."),
            ("--leaked-passwords /no/such", "The list of leaked passwords '/no/such' cannot be used: …"),
            (
                "--mail-url smtp://me@localhost --mail-from me@example.com --mail-password-file /no/such",
                "Mails cannot be sent with 'mail-url': the password for the mail server cannot be read from '/no/such'."
            ),
        ] {
            let config = try await data.run("config \(options)")
            #expect(config.status == (options.hasPrefix("--mail-url") ? 64 : 1))
            #expect(config.errors.count == 1)
            #expect(config.errors.first?.hasPrefix("error: " + error.prefix { $0 != "…" }) == true, "\(config.errors)")
            if options == "--templates \(folder)" { #expect(result.errors == config.errors) }
        }
        #expect(try data.names == [])
    }

    // MARK: Stopping

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal stops the server cleanly, whatever connections are open`(signal: Int32) async throws {
        try await withServer { program, port in
            let connection = try await HTTPTestClient(port: port)
            try await connection.request("GET", "/livez").expect()
            await program.end(signal).expect(status: 0, errors: ["…Stopping…"])
            await #expect(throws: TestClientError.refused) { try await HTTPTestClient(port: port) }
        }
    }
}
