/// Commands that use the database of a running server.
@Suite(.fiveMinutes) struct AccountSessionsTests {
    let workplace = Workplace()

    let otherPassword = "another horse battery staple"

    @Test func `the sessions of a changed account end`() async throws {
        try await workplace.withServer { _, port in
            for (name, command, password) in [
                ("a", "disable a@example.com", nil), ("b", "set-password b@example.com", otherPassword),
                ("c", "delete c@example.com --yes", nil), ("d", "logout d@example.com", Workplace.password),
                ("e", "rename e@example.com bruce", nil), ("f", "roles add f@example.com admin", Workplace.password),
            ] {
                let email = "\(name)@example.com"
                try await workplace.add(email)
                let token = try await loggedIn(port, email)
                try await get("/session", token, port).expect()
                let changed = try await workplace.run("account \(command)", input: otherPassword + "\n")
                #expect(changed.status == 0, "\(changed)")
                #expect(try await eventually { try await get("/session", token, port).status == 401 }, "\(command)")
                for candidate in [Workplace.password, otherPassword] {
                    #expect(try await (logIn(port, email, candidate) != nil) == (candidate == password), "\(command)")
                }
            }
        }
    }

    @Test func `a locked account is listed as locked until it is unlocked`() async throws {
        try await workplace.add()
        try await workplace.withServer { _, port in
            for _ in 0..<5 { #expect(try await logIn(port, "bruce@example.com", "wrong") == nil) }
            #expect(try await logIn(port) == nil)
            let locked = try await workplace.run("account show bruce@example.com").output
            #expect(locked.contains { $0.hasPrefix("state:         locked until 20") })
            #expect(locked.contains("failed logins: 5"))
            try await workplace.expect(
                """
                $ account list
                USERNAME…
                bruce@example.com  …  locked until 20…
                $ account unlock bruce@example.com
                Unlocked the account 'bruce@example.com'.
                """
            )
            #expect(try await logIn(port) != nil)
        }
        #expect(try await workplace.auditRecords().joined().contains(#""reason":"unlocked","#))
    }

    @Test func `an export contains all data about a user, and a deletion removes it`() async throws {
        try await workplace.add()
        try await workplace.add("robin@example.com")
        // Without a mail server, there is no page of the account.
        let mails = ["--mail-url", "smtp://127.0.0.1:1", "--mail-from", "no-reply@example.com"]
        try await workplace.withServer(mails) { program, port async throws in
            let password = Workplace.password.replacing(" ", with: "+")
            let form = "event=addAgentButtonPressed&agentName=Claude&password=\(password)"
            try await post("/account", form, loggedIn(port), port).expect()
            _ = try await loggedIn(port, "robin@example.com")
            await program.end(SIGTERM)
        }
        let export = try await workplace.run("account export bruce@example.com")
        #expect(export.errors == [])
        let text = export.output.text
        let data = try JSONReader.read(text.bytes)
        #expect(data["account"]?["email"] == "bruce@example.com")
        #expect(data["devices"]?.array?.count == 2)
        let agents = data["devices"]?.array?.compactMap { $0["agent"] } ?? []
        #expect(agents.map { [$0["name"], $0["mayChange"]] } == [["Claude", false]])
        #expect(data["sessions"]?.array?.count == 1)
        // The password is verified again before an agent is added.
        let records = data["auditRecords"]?.array ?? []
        #expect(records.map { $0["event"] } == ["accountAdded", "login", "login", "accountChanged"])
        #expect(records.last?["agent"] == agents.first?["id"])
        #expect(!text.contains("robin") && !text.contains("$argon2id"))
        try await workplace.expect(
            """
            $ account delete bruce@example.com --yes
            Deleted the account 'bruce@example.com'.
            $ account export bruce@example.com
            error: There is no account 'bruce@example.com'.
            """
        )
        #expect(try await workplace.run("account export robin@example.com").output.joined().contains(#""sequence""#))
    }

    @Test func `a running server uses added accounts and products, and its backup has them`() async throws {
        try await workplace.withServer { _, port in
            try await workplace.add("bruce@example.com", "--username", "batman")
            #expect(try await logIn(port, "batman") != nil)
            let cape = #"{"name":"Cape","description":"Black, long","image":"cape.png"}"#
            let products = try workplace.file("p.jsonl", cape)
            try await workplace.expect("$ products import \(products)\nimported 1, rejected 0")
            try await post("/products", "event=onStart", newToken(port), port).expect("Cape")

            let file = workplace.path("copy.sqlite")
            let backup = try await workplace.run("backup", file)
            let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
            backup.expect(status: 0, output: ["\(file) (\(size) bytes)"], errors: [])
            try await workplace.expect(
                """
                $ account list --database \(file)
                USERNAME…
                batman…
                $ backup \(file)
                error: there is a file '\(file)' already
                """
            )
        }
    }
}
