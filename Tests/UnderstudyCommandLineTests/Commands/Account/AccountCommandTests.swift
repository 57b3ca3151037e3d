@Suite(.fiveMinutes) struct AccountCommandTests {
    let workplace = Workplace()

    // MARK: add

    @Test func `an added account can be shown, without its password`() async throws {
        let added = try await workplace.add("bruce@example.com", "--username", "batman", "--user-id", "123456789012")
        added.expect(status: 0, output: ["Added the account 'batman'."], errors: [])
        for name in ["batman", "BATMAN", "Bruce@example.com"] {
            let shown = try await workplace.run("account show", name).expect(status: 0)
            for line in [
                "email:         bruce@example.com", "user ID:       123456789012", "state:         active",
                "password:      argon2id m=8,t=1",
            ] { #expect(shown.output.contains(line)) }
        }
        let json = try await workplace.run("account show batman --json").output.joined()
        let id = try #require(json.firstMatch(of: /"id":"([-0-9a-f]+)"/)?.1)
        #expect(try await workplace.run("account show", String(id), "--json").output == [json])
        let record = try await workplace.auditRecords().joined()
        #expect(record.contains(#""event":"accountAdded","account":"\#(id)","operator":""#))
        for text in [json, record] {
            #expect(!text.contains(Workplace.password))
            #expect(!text.contains("$argon2id"))
        }
    }

    @Test(arguments: [
        ("--email bruce@example --name B", Workplace.password, "'bruce@example' is not an email address"),
        ("--email b@example.com --name ''", Workplace.password, "the name is empty"),
        (
            "--email b@example.com --name B --user-id 1", Workplace.password,
            "the user ID must have exactly twelve digits"
        ),
        (
            "--email b@example.com --name B --username 'b\u{85}c'", Workplace.password,
            "the username contains a control character, such as a line break or a tab"
        ),
        ("--email b@example.com --name B --password-min 8", "short", "the password needs at least 8 characters"),
        (
            "--email bruce.wayne@example.com --name B", "bruce.wayne@example.com",
            "the password must not be your name, email address or user ID"
        ),
        ("--email b@example.com --name B", "", "the password is empty"),
    ])
    func `the rules of sign-up apply`(options: String, password: String, error: String) async throws {
        try await workplace.expect("$ account add \(options)\nerror: \(error)", input: password + "\n")
    }

    @Test func `without a line on standard input, there is no password`() async throws {
        try await workplace.expect(
            """
            $ account add --email b@example.com --name B
            error: Standard input contains no password.
            """
        )
    }

    // MARK: list

    @Test func `accounts are listed in the order of their usernames`() async throws {
        try await workplace.add("c@example.com")
        try await workplace.add("b@example.com", "--username", "Ba\u{202E}[2Jt")
        try await workplace.expect(
            """
            $ account disable c@example.com
            Disabled the account 'c@example.com'.
            $ account list
            USERNAME                        NAME                  CREATED               STATE
            Ba\u{FFFD}[2Jt                         Bruce Wayne           20…Z  active
            c@example.com                   Bruce Wayne           20…Z  disabled
            """
        )
        let json = try await workplace.run("account list --json").output
        #expect(json.count == 2)
        #expect(json.first?.contains(#""username":"Ba\u202e[2Jt""#) == true)
        #expect(json.last?.contains(#""disabled":true"#) == true)
        #expect(!json.joined().contains("$argon2id"))
    }

    @Test func `a name cannot control a terminal, in JSON or in lines`() async throws {
        let (username, name) = ("b\u{202E}31m", "B\u{7F}\u{9B}2J\u{202E}\u{200F}ü")
        let added = try await workplace.add("b@example.com", "--username", username, "--name", name)
        #expect(added.output == ["Added the account 'b\u{FFFD}31m'."])
        for arguments in [["show", "b@example.com"], ["list"]] {
            let json = try await workplace.run(["account"] + arguments + ["--json"]).output.joined()
            #expect(json.contains(#""username":"b\u202e31m""#))
            #expect(json.contains(#""name":"B\u007f\u009b2J\u202e\u200fü""#))
            let text = try await workplace.run(["account"] + arguments).output.joined()
            #expect(text.contains("b\u{FFFD}31m"))
            #expect(text.contains("B\u{FFFD}\u{FFFD}2J\u{FFFD}\u{FFFD}ü"))
            #expect(!text.contains("\u{9B}"))
        }
        try await workplace.expect("$ account show \u{9B}2J\n" + #"error: There is no account '\u009b2J'."#)
    }

    @Test func `all accounts are listed, even if there are more than are in memory at the same time`() async throws {
        let lines = (1000..<2001).map { #"{"email":"u\#($0)@example.com","passwordHash":"\#(Workplace.hash)"}"# }
        let file = try workplace.file("many.jsonl", lines.text)
        try await workplace.expect("$ account import \(file)\nimported 1001, rejected 0")
        let list = try await workplace.run("account list").output.dropFirst()
        #expect(list.map { $0.prefix { $0 != " " } } == (1000..<2001).map { "u\($0)@example.com" })
    }

    // MARK: Changes

    @Test func `a command that changes nothing prints this, and succeeds`() async throws {
        try await workplace.add()
        try await workplace.expect(
            """
            $ account disable bruce@example.com
            Disabled the account 'bruce@example.com'.
            $ account disable bruce@example.com
            The account 'bruce@example.com' is already disabled.
            $ account enable bruce@example.com
            Enabled the account 'bruce@example.com'.
            $ account enable bruce@example.com
            The account 'bruce@example.com' is already enabled.
            $ account unlock bruce@example.com
            The account 'bruce@example.com' has no failed logins.
            $ audit export
            {…"event":"accountAdded",…}
            {…"reason":"disabled",…}
            {…"reason":"enabled",…}
            """
        )
    }

    @Test func `an account is deleted only after confirmation`() async throws {
        try await workplace.add()
        try await workplace.expect(
            """
            $ account delete bruce@example.com
            error: Standard input is not a terminal, so that the command cannot ask: add '--yes'.
            exit status 64
            $ account delete bruce@example.com --yes
            Deleted the account 'bruce@example.com'.
            $ account delete bruce@example.com --yes
            error: There is no account 'bruce@example.com'.
            $ audit export
            {…"event":"accountAdded",…}
            {…"event":"accountDeleted",…}
            """
        )
    }

    @Test(arguments: [("y", 0), ("n", 1), ("", 1)] as [(String, Int32)])
    func `delete asks for confirmation on a terminal`(answer: String, status: Int32) async throws {
        try await workplace.add()
        let terminal = try PseudoTerminal()
        try terminal.type(answer)
        let result = try await workplace.run(["account", "delete", "bruce@example.com"], terminal: terminal.terminal)
        result.expect(status: status)
        #expect(result.errors.first?.hasPrefix("Delete the account 'bruce@example.com' permanently? [y/N] ") == true)
        try await workplace.run("account show bruce@example.com").expect(status: 1 - status)
    }

    // MARK: Mistakes

    @Test(arguments: ["show x", "disable x", "enable x", "unlock x", "set-password x", "delete x --yes"])
    func `an unknown account is one line of error`(command: String) async throws {
        try await workplace.add()
        try await workplace.expect("$ account \(command)\nerror: There is no account 'x'.", input: Workplace.password)
    }

    @Test(arguments: [
        "account list", "account show x", "account disable x", "account delete x --yes", "mail list", "audit verify",
    ])
    func `a missing database is an error, and is not created`(command: String) async throws {
        try await workplace.expect(
            """
            $ \(command)
            error: There is no database '\(workplace.database)': name it with '--database' or '--data'.
            """
        )
        #expect(try workplace.names == [])
    }
}
