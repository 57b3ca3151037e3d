@Suite(.fiveMinutes) struct AccountAdministrationTests {
    let workplace = Workplace()

    // MARK: Who has made a change

    @Test(
        arguments: [
            ("", nil, nil), ("", "bart", #""bart""#), (#"--as 'Lisa "L" \ é'"#, "bart", #""Lisa \"L\" \\ é""#),
            ("", "a\u{1B}[2J", nil),
        ] as [(String, String?, String?)]
    )
    func `each change has the name of the operator, escaped, in the audit log`(
        options: String,
        user: String?,
        expected: String?
    ) async throws {
        try await workplace.add()
        let disable = "account disable bruce@example.com \(options)".words
        try await workplace.run(disable, environment: ["SUDO_USER": user ?? ""]).expect(status: 0)
        let name = expected ?? #""\#(NSUserName())""#
        #expect(try await workplace.auditRecords().last?.contains(#","operator":\#(name)"#) == true)
    }

    @Test(arguments: ["", "a\nb", "a\u{9B}", "a".repeated(129)])
    func `an invalid name of an operator is wrong usage, and nothing changes`(name: String) async throws {
        try await workplace.add()
        let result = try await workplace.run("account disable bruce@example.com --as", name)
        result.expect(error: "…expected a name of 1 to 128 characters…", status: 64)
        #expect(try await workplace.auditRecords().count == 1)
    }

    @Test func `the import of accounts has the name of the operator in the audit log`() async throws {
        let password = #""password":"\#(Workplace.password)""#
        let file = try workplace.file(
            "a.jsonl",
            """
            {"email":"a@example.com",\(password),"note":"Was a customer before","roles":"support admin"}
            {"email":"b@example.com",\(password),"roles":"a/b"}
            """
        )
        try await workplace.expect(
            """
            $ account import --as Marge \(file)
            imported 1, rejected 1
            line 2: 'a/b' cannot be a role: …
            exit status 1
            $ account show a@example.com --json
            {…"roles":["admin","support"],"note":"Was a customer before"…}
            $ audit export
            {…"event":"accountAdded",…,"operator":"Marge"…}
            """
        )
    }

    // MARK: Finding accounts

    @Test(arguments: [false, true])
    func `accounts are found by a part of their name, address or ID, in any case`(usesPostgreSQL: Bool) async throws {
        let database = usesPostgreSQL ? ["--database", try Cluster.newDatabase()] : []
        for (email, username) in [("a_b@example.com", "Zoë"), ("axb@example.com", "100%"), ("c@example.org", "c'--")] {
            try await workplace.add(email, ["--username", username] + database)
        }
        let json = try await workplace.run(["account", "show", "zoë", "--json"] + database).output.joined()
        let id = try #require(json.firstMatch(of: /"id":"([-0-9a-f]+)"/)?.1)
        for (text, usernames) in [
            ("ZO\u{CB}", ["Zoë"]), ("A_B@", ["Zoë"]), ("%", ["100%"]), ("'--", ["c'--"]),
            ("EXAMPLE.COM", ["100%", "Zoë"]), ("nothing", []), ("", ["100%", "c'--", "Zoë"]),
            ("a".repeated(100_000), []), (id.dropFirst(3).prefix(12).uppercased(), ["Zoë"]),
        ] {
            let list = try await workplace.run(["account", "list", "--search", text] + database).output
            #expect(list.dropFirst().map { String($0.prefix { $0 != " " }) } == usernames, "\(text.prefix(20))")
        }
    }

    // MARK: Changes

    @Test func `an account gets another name and another address`() async throws {
        try await workplace.add("a@example.com")
        try await workplace.add("b@example.com", "--username", "b")
        try await workplace.expect(
            """
            $ account rename b Bruce
            Renamed the account 'b' to 'Bruce'.
            $ account rename bruce Bruce
            The account 'Bruce' already has this name.
            $ account rename bruce ''
            error: the username is empty
            $ account set-email a@example.com new@example.com
            Changed the email address of the account 'a@example.com' to 'new@example.com'.
            $ account set-email bruce NEW@example.com
            error: another account has this email address
            $ account set-email bruce x
            error: 'x' is not an email address
            $ account set-email bruce b@example.com
            The account 'Bruce' already has this email address.
            """
        )
        let shown = try await workplace.run("account show new@example.com")
        #expect(shown.output.first == "username:      new@example.com")
    }

    @Test func `support notes something about an account`() async throws {
        try await workplace.add()
        try await workplace.expect(
            """
            $ account note bruce@example.com 'Called\u{9B} on Monday'
            Changed the note about the account 'bruce@example.com'.
            """
        )
        let shown = try await workplace.run("account show bruce@example.com").output
        #expect(shown.contains("note:          Called\u{FFFD} on Monday"))
        try await workplace.expect(
            """
            $ account note bruce@example.com ''
            Removed the note about the account 'bruce@example.com'.
            $ account note bruce@example.com ''
            The note about the account 'bruce@example.com' stays as it was.
            """
        )
        #expect(try await workplace.auditRecords().count == 3)
    }

    @Test func `roles are given and taken away`() async throws {
        try await workplace.add()
        try await workplace.expect(
            """
            $ account roles add bruce@example.com support admin
            The account 'bruce@example.com' now has the roles admin, support.
            $ account roles remove bruce@example.com nothing
            The account 'bruce@example.com' already has the roles admin, support.
            $ account roles remove bruce@example.com admin
            The account 'bruce@example.com' now has the roles support.
            $ account roles remove bruce@example.com --all
            The account 'bruce@example.com' now has no roles.
            $ account roles remove bruce@example.com
            error: …
            exit status 64
            """
        )
        let reasons = try await workplace.auditRecords().compactMap { $0.firstMatch(of: /"reason":"(roles=[^"]*)"/)?.1 }
        #expect(reasons == ["roles=admin,support", "roles=support", "roles="])
    }

    @Test func `factors are listed, moved to another account and removed`() async throws {
        var factors = Workplace.app(secret: "A".repeated(32))
        factors.recoveryCodes = [RecoveryCode(prefix: "ab", hash: Workplace.hash)]
        let damaged = #"{"email":"bart@rules.example","password":"forty blue candles","factors":"{}"}"#
        try await workplace.expect(
            """
            $ account import -
            imported 1, rejected 1
            line 2: the factors are not an object that 'account factors list --secrets' has printed
            exit status 1
            """,
            input: try Workplace.account("lisa@rules.example", factors) + damaged
        )
        try await workplace.expect(
            """
            $ account factors list lisa@rules.example --secrets
            \(try json(factors))
            $ account factors list lisa@rules.example
            authenticator app added 1970-01-01T00:00:00Z  never used
            recovery codes    1 not used
            $ account factors remove lisa@rules.example --passkey 0
            error: The account 'lisa@rules.example' has no such factor.
            $ account factors remove lisa@rules.example --app
            Removed the authenticator app of the account 'lisa@rules.example'.
            $ account factors list lisa@rules.example
            note: The account has no factors: its password is enough.
            """
        )
    }
}
