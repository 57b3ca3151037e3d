/// `scripts/checks/damage` runs more of these. A seed makes a run repeat another one.
struct `Damaged rows` {
    let folder = TemporaryFolder()

    @Test(arguments: ["publication SET number", "sqlite_sequence SET seq"], [.max, .min, 0] as [Int])
    func `a damaged number of a publication hides no later one`(column: String, number: Int) async throws {
        let (database, other) = (try folder.open(), try folder.open())
        let topics = Topics()
        let shared = DatabaseTopics(database, topics, clock: ManualClock())
        #expect(try await shared.read())
        try await folder.connect().execute("UPDATE \(column) = \(number)")
        #expect(try await shared.read())
        for topic in ["first", "second"] as [Topic] {
            let last = topics.latest
            try await other.write(of: .topics, [PublicationTable.insert(Publication(topic))])
            #expect(try await shared.read())
            #expect(topics.havePublished([topic], after: last))
            #expect(!topics.havePublished(["another"], after: last))
        }
    }

    @Test(arguments: [true, false], [.max, .min] as [Int])
    func `a damaged number does not prevent the next mail or record`(isOfRow: Bool, number: Int) async throws {
        let database = try folder.open()
        let outbox = DatabaseOutbox(database, clock: Visitors.clock)
        let log = DatabaseAuditLog(database) { Issue.record($1) }
        func add(_ id: String) async throws {
            try await outbox.add(Mail(id: id, recipient: "ada@rules.example", subject: "Hello", text: "Hello!\n"))
            await log.record(AuditEvent(.signup, at: Visitors.clock.now, reason: id))
        }
        try await add("first")
        for table in ["mail", "audit_record"] {
            let sql = isOfRow ? "UPDATE \(table) SET number" : "UPDATE sqlite_sequence SET seq"
            try await folder.connect().execute("\(sql) = \(number)")
        }
        try await add("second")
        try await add("third")
        #expect(try await outbox.claim(limit: 9).count == 3)
        let last = try #require(try await database.lastAuditRecord())
        #expect(last.line.text.contains("third"))
    }

    @Test(arguments: ["''", "'zoe'", "CAST(x'FF' AS TEXT)"])
    func `an account with a damaged key is listed once, and a change repairs it`(key: String) async throws {
        let database = try folder.open()
        let (ada, bob) = (Account.ada, Account.bob)
        try await database.add([ada, bob])
        try await folder.connect().execute("UPDATE account SET username_key = \(key) WHERE name = 'ada'")
        let first = try await database.accounts(after: nil, limit: 1)
        let second = try await database.accounts(after: first.last?.usernameKey, limit: 1)
        #expect(Set((first + second).map(\.username)) == ["ada", "bob"])
        #expect(try await database.accounts(after: second.last?.usernameKey, limit: 1).isEmpty)
        try await database.change(ada.id) { $0.name = "Ada" }
        #expect(try await database.account(username: "ada")?.name == "Ada")
    }

    @Test(arguments: [.max, .min] as [Int])
    func `a damaged size of a session evicts no other sessions`(size: Int) async throws {
        let database = try folder.open()
        let store = database.sessions { 0 }
        for number in 1...3 {
            let session = SessionStoreSuite.session(number)
            let change = SessionChange(session: session, version: 0, token: [UInt8(number)], event: [], size: 100)
            #expect(try await store.commit(change) == .committed)
        }
        try await folder.connect().execute("UPDATE session SET size = \(size) WHERE number = 3")
        var limits = SessionLimits()
        limits.maximumMemory = 250
        #expect(try await store.removeSessions(exceeding: limits, at: .ms(3_000)).evicted == 0)
    }

    @Test(arguments: ["", "x", "[1]", #"{"a":1}"#, #"["b","a\\"]"#, "[\"\("a".repeated(65))\"]"])
    func `damaged roles grant nothing until an operator sets them`(roles: String) async throws {
        let database = try folder.open()
        var ada = Account.ada
        ada.roles = ["admin"]
        try await database.add([ada])
        try await folder.connect().execute("UPDATE account SET roles = '\(roles)', note = CAST(x'61ff' AS TEXT)")
        for _ in 1...2 {
            let account = try #require(try await database.account(ada.id))
            #expect(account.roles == [])
            #expect(account.rolesAreDamaged)
            #expect(account.note == "a\u{FFFD}")
            // They stay damaged when the account changes.
            try await database.change(ada.id) { $0.name += "x" }
        }
        try await database.change(ada.id) {
            $0.roles = ["support"]
            $0.rolesAreDamaged = false
        }
        #expect(try await database.account(ada.id)?.roles == ["support"])
    }

    @Test func `a server continues, whatever the number in a column is`() async throws {
        let original = folder.database("original.sqlite")
        let visitors = try await Visitors(path: original)
        for (table, column) in try Damage.integerColumns(of: original) {
            for number in [.max, .min] as [Int] {
                let path = folder.database("\(table)-\(column)-\(number).sqlite")
                try Files.copy(original, to: path)
                // A unique column of one row only.
                try await OtherConnection(path).execute(
                    "PRAGMA foreign_keys = OFF; UPDATE OR IGNORE \(table) SET \(column) = \(number)"
                )
                guard let database = try? SQLiteDatabase(path: path) else { continue }
                _ = try await visitors.use(database, path: path)
                database.close()
            }
        }
    }

    @Test func `a server with damaged rows continues, and damage to one row ends one session`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let tries = environment["UNDERSTUDY_DAMAGE_TRIES"].flatMap { UInt64($0) } ?? 50
        let seed = environment["UNDERSTUDY_DAMAGE_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 32)
        print("Damaged rows: \(tries) tries from the seed \(seed)")
        let original = folder.database("original.sqlite")
        let visitors = try await Visitors(path: original)
        let isVerbose = environment["UNDERSTUDY_DAMAGE_VERBOSE"] != nil
        var (rejected, ended) = (0, 0)
        for number in seed..<seed + tries {
            let path = folder.database("\(number).sqlite")
            try Files.copy(original, to: path)
            defer { for suffix in ["", "-wal", "-shm"] { try? Files.remove(path + suffix) } }
            var damage = Damage(seed: number)
            try damage.apply(to: path)
            // Printed first, because a crash prints nothing.
            if isVerbose { print("seed \(number): \(damage.changes.joined(separator: "; "))") }
            guard let database = try? SQLiteDatabase(path: path) else {
                rejected += 1
                continue
            }
            let failures = try await visitors.use(database, path: path)
            database.close()
            ended += failures
            // An event that moves to another session damages both, and an account concerns all sessions of its user.
            if damage.changes.count <= 1 {
                #expect(failures <= 2, "seed \(number): \(damage.changes.joined(separator: "; "))")
            }
        }
        print("Damaged rows: \(rejected) files were rejected, and \(ended) sessions ended")
    }
}
