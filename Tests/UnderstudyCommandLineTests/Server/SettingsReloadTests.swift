/// How a running server applies other settings at SIGHUP.
@Suite(.fiveMinutes) struct SettingsReloadTests {
    let workplace = Workplace()

    /// Serves with a configuration file while `body` runs.
    func withServer(_ settings: String, body: (Program, UInt16) async throws -> Void) async throws {
        let file = try workplace.file("settings.yaml", settings)
        try await UnderstudyCommandLineTests.withServer(environment: ["UNDERSTUDY_CONFIG": file], body: body)
    }

    /// Changes the configuration file, sends SIGHUP, and returns what the server logs until it has reloaded: lines with these texts, if
    /// there are some.
    @discardableResult
    func reload(
        _ program: Program,
        _ settings: String,
        _ texts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        try workplace.file("settings.yaml", settings)
        program.send(SIGHUP)
        var lines: [String] = []
        while let line = await program.errors.next() {
            lines.append(line)
            guard line.contains("Reloaded") || line.contains("settings are not reloaded") else { continue }
            let areExpected = lines.count == texts.count && zip(lines, texts).allSatisfy { $0.contains($1) }
            #expect(texts.isEmpty || areExpected, "\(lines)", sourceLocation: sourceLocation)
            return lines
        }
        Issue.record("The server has ended: \(lines)")
        return lines
    }

    @discardableResult
    func folder(template: String) throws -> String {
        try workplace.file("pages/login.mustache", template)
        return workplace.path("pages")
    }

    @discardableResult
    func translate(_ german: String) throws -> String {
        try workplace.file("texts.xcstrings", catalog(["problem.unknownPage": ["de": unit(german)]]).text)
    }

    /// The settings of a demonstration with a template and a translation.
    func settings(template: String) throws -> String {
        let (pages, texts) = (try folder(template: template), try translate("Nichts"))
        return "demo: on\naccess-log: off\ntemplates: \(pages)\ntranslations: \(texts)\n"
    }

    @Test func `changed limits, origins, hosts and texts apply to the next request, and sessions go on`() async throws {
        let unchanged = try settings(template: "The first template")
        try await withServer(unchanged) { program, port async throws in
            let client = try await HTTPTestClient(port: port)
            let login = try await client.request("POST", "/login", form: "username=batman&password=bruce")
            let cookie = try #require(login.header("Set-Cookie")?.split(separator: ";").first.map(String.init))
            func page() async throws -> String {
                try await client.request("GET", "/login", headers: ["Accept": "text/html"]).text
            }
            func german() async throws -> String {
                try await client.request("GET", "/nowhere", headers: ["Accept-Language": "de"]).text
            }
            let other: KeyValuePairs = ["Host": "app.example"]
            let script: KeyValuePairs = ["Origin": "https://app.example"]
            try await get("/livez", port, headers: other).expect(status: 421)
            try await HTTPTestClient.request("POST", "/products", headers: script, port: port).expect(status: 403)
            #expect(try await post("/login", "a".repeated(100), port).status != 413)
            #expect(try await page() == "The first template")
            #expect(try await german().contains("Nichts"))

            try folder(template: "The second template")
            try translate("Keine Seite")
            let changed = "allowed-hosts: app.example\nallowed-origins: https://app.example\nmax-body: 99\n"
            try await reload(program, unchanged + changed, "changed=allowed-origins,allowed-hosts,max-body")
            try await get("/livez", port, headers: other).expect()
            try await HTTPTestClient.request("POST", "/products", headers: script, port: port).expect()
            try await post("/login", "a".repeated(100), port).expect(status: 413)
            #expect(try await page() == "The second template")
            #expect(try await german().contains("Keine Seite"))
            try await client.request("GET", "/session", headers: ["Cookie": cookie]).expect("batman")

            #expect(try await reload(program, unchanged + "max-body: 99\npages: off\n").count == 1)
            try await get("/livez", port, headers: other).expect()
            try await reload(program, "demo: on\naccess-log: off\nmax-body: 99\n")
            try await get("/livez", port, headers: other).expect(status: 421)
            #expect(try await german().contains("Keine Seite") == false)
            #expect(try await page() != "The second template")
        }
    }

    @Test func `another level of the log applies to the next line`() async throws {
        try await withServer("log-level: error\n") { program, port async throws in
            try await get("/products", port).expect()
            try await reload(program, "log-level: info\n", "Reloaded changed=log-level log-level=info")
            try await get("/products?second", port).expect()
            #expect(await program.errors.next()?.contains("Request") == true)
        }
    }

    @Test func `an invalid file changes nothing, and the log has the reason that 'serve' would give`() async throws {
        let valid = "demo: on\naccess-log: off\n"
        let path = workplace.path("settings.yaml")
        try await withServer(valid) { program, port async throws in
            for invalid in [
                "max-body: many\n", "max-bodies: 1\n", "max-body: [\n", "templates: /nowhere\n",
                "pages: off\nassets: /\n", "translations: /nowhere.xcstrings\n", "public-url: ftp\n",
                "leaked-passwords: /nowhere\ndemo: off\n",
            ] {
                let others = "allowed-hosts: app.example\nlog-level: debug\nloops: 7\n"
                let demo = invalid.contains("demo") ? "" : "demo: on\n"
                let error = "ERROR    The settings are not reloaded, and all keep their values"
                let lines = try await reload(program, others + invalid + demo, error)
                let start = try await workplace.run("config --config", path)
                #expect(start.status != 0)
                let reason = try #require(start.errors.first { $0.hasPrefix("error: ") }).dropFirst("error: ".count)
                let logged = (lines.first ?? "").replacing("\\", with: "").replacing("\"", with: "")
                #expect(logged.contains(reason.replacing("\"", with: "").prefix(100)), "\(lines) \(reason)")
                try await get("/livez", port, headers: ["Host": "app.example"]).expect(status: 421)
                let next = "Reloaded changed=allowed-hosts log-level=info"
                try await reload(program, valid + "allowed-hosts: app.example\n", next)
                try await reload(program, valid)
            }
        }
    }

    @Test func `without the configuration file, or with an empty one or a pipe, all settings keep their values`()
        async throws
    {
        let path = workplace.path("settings.yaml")
        try await withServer("demo: on\nallowed-hosts: app.example\n") { program, port async throws in
            for replacement in ["true", ": >\"$0\"", "mkfifo \"$0\""] {
                #expect(try await ChildProcess("/bin/sh", ["-c", "rm \"$0\"; \(replacement)", path]).end() == .exit(0))
                program.send(SIGHUP)
                let line = await program.errors.next(containing: "are not reloaded")
                #expect(line?.contains("is missing, empty or not a regular file") == true)
                try await get("/livez", port, headers: ["Host": "app.example"]).expect()
            }
        }
    }

    @Test func `a setting that only a restart applies is named until it is as before; others apply`() async throws {
        let file = "demo: on\naccess-log: off\nmail-url: smtp://me:secret@localhost\nmail-from: me@example.com\n"
        try await withServer(file) { program, port async throws in
            let others =
                file.replacing("secret", with: "hidden") + "loops: 7\npublic-url: https://a.example\ndrain: 1s\n"
            for settings in [others + "max-body: 1\n", others + "max-body: 2\n"] {
                let warning = "that only a restart applies settings=loops,public-url,drain,mail-url"
                try await reload(program, settings, warning, "changed=max-body")
            }
            #expect(try await reload(program, file).count == 1)
            try await get("/livez", port, headers: ["Host": "a.example"]).expect(status: 421)
            #expect(!program.errors.all.contains { $0.contains("secret") || $0.contains("hidden") })
        }
    }

    @Test func `no request fails during 60 reloads, which leave neither memory nor descriptors behind`() async throws {
        let file = try settings(template: "A template")
        try await withServer(file) { program, port async throws in
            let isDone = LockedValue(false)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let client = try await HTTPTestClient(port: port)
                        var count = 0
                        while !isDone.value {
                            try await client.request("GET", "/products").expect()
                            count += 1
                        }
                        return count
                    }
                }
                group.addTask {
                    defer { isDone.value = true }
                    var sizes: [(memory: Int, descriptors: Int)] = []
                    for number in 1...60 {
                        try await reload(program, file + "max-body: \(1000 + number)\n")
                        if number % 30 == 0 { sizes.append(try size(of: program.id)) }
                    }
                    #expect(sizes[1].memory < sizes[0].memory + 4 << 20, "\(sizes)")
                    #expect(sizes[1].descriptors <= sizes[0].descriptors, "\(sizes)")
                    return 1
                }
                for try await count in group { #expect(count > 0) }
            }
        }
    }

    /// The resident memory of a process in bytes, and the number of its open descriptors.
    func size(of process: Int32) throws -> (memory: Int, descriptors: Int) {
        let pages = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")[1]
        return ((Int(pages) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))), try Files.names(in: "/proc/\(process)/fd").count)
    }
}
