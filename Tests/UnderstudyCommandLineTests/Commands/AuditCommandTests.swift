/// The audit log, as operators and servers use it.
@Suite(.fiveMinutes, .serialized) struct AuditCommandTests {
    let workplace = Workplace()

    /// Adds an account, and changes it twice: three records.
    func makeRecords() async throws {
        try await workplace.add()
        try await workplace.expect(
            """
            $ account disable bruce@example.com --as marge
            Disabled the account 'bruce@example.com'.
            $ account enable bruce@example.com --as marge
            Enabled the account 'bruce@example.com'.
            """
        )
    }

    func execute(_ sql: String...) async throws {
        let database = try SQLiteDatabase(path: workplace.database)
        defer { database.close() }
        try await database.write(sql.map { SQLStatement("test", SQLText(postgreSQL: "", sqlite: $0))() })
    }

    /// The hash of the last record.
    func lastHash() async throws -> String {
        let line = try #require(await workplace.run("audit verify").output.last)
        return String(try #require(line.wholeMatch(of: /last hash: ([0-9a-f]{64})/)).1)
    }

    @Test func `the records are exported, by account and time, and verified`() async throws {
        try await makeRecords()
        let hash = try await lastHash()
        let records = """
            {…"event":"accountAdded",…}
            {…"reason":"disabled","operator":"marge","previous":"…}
            {…"reason":"enabled","operator":"marge","previous":"…}
            """
        try await workplace.expect(
            """
            $ audit export
            \(records)
            $ audit verify
            3 records are valid
            last hash: \(hash)
            $ audit verify --contains \(hash.uppercased())
            3 records are valid
            last hash: \(hash)
            $ audit export --account bruce@example.com --since 1h
            \(records)
            $ audit export --operator marge --until 9999-01-01
            {…"reason":"disabled","operator":"marge","previous":"…}
            {…"reason":"enabled","operator":"marge","previous":"…}
            $ audit export --operator homer
            $ audit export --until 1h
            $ audit export --since 9999-01-01
            $ audit export --since 2026
            error: …
            exit status 64
            """
        )
        try await workplace.run("audit verify --contains", String(hash.reversed())).expect(status: 1)
        let person = try await workplace.run("account export bruce@example.com")
        #expect(person.errors == [])
        #expect(person.output.count { $0.contains(#""previous" : "#) } == 2)
    }

    @Test func `an export is escaped on a terminal, and is as it is stored in a file`() async throws {
        try await makeRecords()
        try await execute("UPDATE audit_record SET line = replace(line, 'marge', 'mar\u{9B}2J\u{202E}ge')")
        #expect(try await workplace.run("audit export").output.last?.contains("mar\u{9B}2J\u{202E}ge") == true)
        let terminal = try PseudoTerminal()
        let result = try await Program.run(
            ["audit", "export"],
            environment: workplace.environment,
            terminal: terminal.terminal,
            shell: #"exec "$0" "$@" >&0"#
        )
        result.expect(status: 0)
        let lines = terminal.lines
        #expect(lines.count == 3)
        #expect(lines.last?.contains(#"mar\u009b2J\u202ege"#) == true)
        #expect(!lines.joined().unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{202E}" })
    }

    @Test func `the records of a deleted account are exported by its ID; an unknown one is an error`() async throws {
        try await makeRecords()
        let account = try await workplace.run("account show bruce@example.com --json").output.joined()
        let id = try #require(account.firstMatch(of: /"id":"([^"]+)"/)).1
        try await workplace.expect(
            """
            $ account delete bruce@example.com --yes
            Deleted the account 'bruce@example.com'.
            $ audit export --account bruce@example.com
            error: There is no account 'bruce@example.com', and no record about a deleted account with this ID.
            """
        )
        #expect(try await workplace.run("audit export --account", String(id)).output.count == 4)
    }

    @Test func `a record that was removed from the database is found`() async throws {
        try await makeRecords()
        try await execute("DELETE FROM audit_record WHERE number = 2")
        try await workplace.expect(
            """
            $ audit verify
            1 record is valid
            last hash: …
            error: record 3: this record does not continue the one before…
            """
        )
        try await execute("DELETE FROM audit_record WHERE number = 1")
        let removed =
            "error: the records before the first one were removed, and no record of 'audit prune' reports this"
        #expect(try await workplace.run("audit verify").errors == [removed])
        try await execute("UPDATE audit_record SET line = 'x'")
        let changed = [
            "error: record 3: this line is not a record: it was changed",
            "error: No record has the hash that '--contains' gives: records are missing.",
        ]
        #expect(try await workplace.run("audit verify --contains", "0".repeated(64)).errors == changed)
    }

    @Test func `a record that is missing at the end is found if its hash is known`() async throws {
        try await makeRecords()
        let hash = try await lastHash()
        try await execute("DELETE FROM audit_record WHERE number = 3")
        try await workplace.run("audit verify").expect(status: 0)
        try await workplace.run("audit verify --contains", hash).expect(status: 1)
    }

    @Test func `an operator deletes old records, and the others are valid`() async throws {
        try await workplace.run("database migrate").expect(status: 0)
        try await workplace.expect("$ audit verify\n0 records are valid")
        try await makeRecords()
        try await workplace.expect(
            """
            $ audit prune --before 1d
            error: …
            exit status 64
            $ audit prune --before 9999-01-01 --yes
            error: …
            exit status 64
            $ audit prune --before 1d --yes
            Deleted 0 records.
            $ audit prune --before 0s --yes --as marge
            Deleted 3 records.
            $ audit verify
            1 record is valid
            last hash: …
            $ audit export
            {…"operator":"marge"…}
            """
        )
    }

    @Test func `what users do is in the database and in the log, and can be explained`() async throws {
        try await makeRecords()
        try await workplace.withServer(["--sessions", "database", "--log-format", "json"]) {
            program,
            port async throws in
            let wrong = try await post("/login", "username=bruce@example.com&password=x", newToken(port), port)
            let id = try #require(wrong.header("X-Request-ID"))
            let shown = try await workplace.run("account show bruce@example.com").output
            #expect(shown.contains { $0.contains(/^last failure:  20[-0-9T:]+Z$/) }, "\(shown)")
            try await workplace.run("audit prune --before 0s --yes")
            try await post("/home", "event=logoutButtonPressed", loggedIn(port), port).expect()
            let records = try await workplace.run("audit export --since 1h").output
            #expect(records.map { $0.split(separator: "\"")[7] } == ["auditPruned", "login", "logout"])
            _ = try #require(await program.errors.next(containing: #""event":"logout""#))
            let log = program.errors.all.filter { $0.contains(#""message":"Audit""#) }
            let pattern = /"level":"info".*"account":"\S+","client":"127\.0\.0\.1","event":"(\w+)","page":"(\w+)"/
            let events = log.compactMap { $0.firstMatch(of: pattern).map { "\($0.1) \($0.2)" } }
            #expect(events == ["loginFailed login", "login login", "logout home"], "\(log)")
            let explanation = try await workplace.run("explain", id, input: log.text)
            #expect(explanation.output.contains { $0.contains("event=loginFailed") }, "\(explanation)")
            let verified = try await workplace.run("audit verify").output
            #expect(verified.first == "3 records are valid")
            let hash = try #require(verified.last?.split(separator: " ").last)
            program.send(SIGTERM)
            #expect(await program.errors.next(containing: #""hash":"\#(hash)""#) != nil)
        }
    }

    @Test func `a backup is recorded with the operator`() async throws {
        try await makeRecords()
        let file = workplace.path("copy.sqlite")
        #expect(try await workplace.run("backup", file, "--as", "marge").errors == [])
        // The backup has the records from before.
        #expect(try await workplace.run("audit verify --database", file).output.first == "3 records are valid")
        #expect(try await workplace.run("database migrate --as marge").errors == [])
        let records = try await workplace.auditRecords().dropFirst(3)
        #expect(records.count == 1)
        #expect(records.first?.contains(#""event":"backupCreated","reason":"\#(file)","operator":"marge""#) == true)
    }
}
