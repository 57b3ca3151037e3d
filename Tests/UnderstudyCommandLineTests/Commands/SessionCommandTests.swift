@Suite(.fiveMinutes) struct SessionCommandTests {
    static let options = ["--sessions", "database"]
    let workplace = Workplace()

    func run(_ arguments: [String]) async throws -> Program.Result {
        try await workplace.run(arguments, environment: ["UNDERSTUDY_SESSIONS": "database"])
    }

    /// What a command prints about the sessions in the database that the options name.
    func lines(_ command: String, _ database: [String]) async throws -> [String] {
        let result = try await run("session \(command)".words + database)
        #expect(result.errors == [])
        return result.output
    }

    @Test(arguments: [false, true])
    func `an operator finds a user's session, sees its pages, and ends it`(usesPostgreSQL: Bool) async throws {
        try await workplace.withOperatedServer(usesPostgreSQL: usesPostgreSQL, Self.options) { ports, database in
            let port = ports.users
            let stranger = try await newToken(port)
            _ = try await post("/register", "userID=12", stranger, port)
            let token = try await loggedIn(port)

            #expect(try await lines("list", database).count == 3)
            let listed = try await lines("list --account bruce@example.com", database)
            #expect(listed.count == 2)
            #expect(listed[1].hasSuffix("bruce@example.com"))
            let id = String(listed[1].prefix(8))

            let shown = try await lines("show \(id)", database)
            #expect(shown.first == "Session \(id)")
            #expect(shown.contains("    field username: bruce@example.com"))
            #expect(!shown.joined().contains(Workplace.password))
            let other = try #require(await lines("list --json", database).first { !$0.contains("bruce") })
            let otherID = try #require(other.firstMatch(of: /"id":"([0-9a-f]{8})"/)).1
            let texts = try await lines("show \(otherID)", database)
            #expect(texts.contains("    shows errorMessage: A user ID has exactly twelve digits"))
            #expect(texts.contains { $0.hasSuffix("registration.invalidUserID") })

            try await post("/home", "event=viewDidLoad", token, port).expect()
            #expect(try await lines("end \(id) --as marge", database) == ["Ended 1 session."])
            try await post("/home", "event=viewDidLoad", token, port).expect(status: 401)
            try await post("/register", "userID=12", stranger, port).expect()
            let record = try #require(await workplace.auditRecords(database).last)
            #expect(record.contains(#""event":"sessionEnded""#))
            #expect(record.contains(#""reason":"\#(id)","operator":"marge""#))
        }
    }

    @Test func `sessions are selected by their age`() async throws {
        try await workplace.withOperatedServer(Self.options) { ports, database in
            _ = try await post("/register", "userID=12", try await newToken(ports.users), ports.users)
            #expect(try await lines("list --older-than 1h", database).count == 1)
            #expect(try await lines("list --older-than 0s", database).count == 2)
            #expect(try await lines("list --count", database) == ["1"])
            #expect(try await lines("list --count --older-than 1h", database) == ["0"])
            #expect(try await lines("end --older-than 1h", database) == ["Ended 0 sessions."])
            #expect(try await lines("end --older-than 0s", database) == ["Ended 1 session."])
            #expect(try await lines("list", database).count == 1)
        }
    }

    @Test func `with sessions in memory, a command says where they can be seen and ended`() async throws {
        try await workplace.add()
        for (command, errors) in [
            ("list", []), ("show 00000000", ["error: There is no session '00000000' in the database."]),
            ("end --older-than 0s", []),
        ] {
            let note = "note: …its pages for operators list, show and end them…"
            try await workplace.run("session \(command)").expect(errors: [note] + errors)
        }
    }

    @Test func `a selection that is missing, ambiguous or unknown is an error`() async throws {
        try await workplace.add()
        for (commands, status) in [
            (["end", "end 00000000 --older-than 1h", "list --older-than x"], 64),
            (["end --account ''", "list --account ''", "list --account lisa", "show zzz", "end zzz"], 1),
        ] {
            for command in commands {
                let result = try await run("session \(command)".words)
                #expect(result.status == Int32(status) && result.errors.count == 1, "\(command)")
            }
        }
    }
}
