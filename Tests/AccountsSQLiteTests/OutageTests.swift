@testable import AccountsSQLite

struct `Outages of a database` {
    let folder = TemporaryFolder()
    let unavailable = CollaboratorError.outage(of: "accounts")

    @Test func `calls wait while another process writes`() async throws {
        let database = try folder.open(busyTimeout: .seconds(60))
        let other = try folder.connect()
        try await other.execute("BEGIN EXCLUSIVE")
        async let added: Void = database.add(.ada)
        #expect(try await database.all.isEmpty)
        try await other.execute("COMMIT")
        try await added
        #expect(try await database.all.count == 1)
    }

    // One after the other, each with its own timeout, the calls would take longer than the time limit.
    @Test(.fiveMinutes)
    func `during a long lock all calls fail in bounded time, and succeed afterwards`() async throws {
        let errors = LockedValue<[any Error]>([])
        let database = try folder.open(busyTimeout: .seconds(7)) { error in
            errors.append(error)
        }
        let other = try folder.connect()
        try await other.execute("BEGIN EXCLUSIVE")
        try await concurrently(50) { number in
            await #expect(throws: unavailable) { try await database.add(.sample("\(number)")) }
        }
        await #expect(throws: unavailable) { try await database.update(.unknownName(1)) { $0.failures += 1 } }
        #expect(errors.value.count == 51)
        #expect(!database.sessions { 0 }.isAvailable)
        #expect(errors.value.allSatisfy { ($0 as? SQLiteError)?.code == .busy })
        try await other.execute("COMMIT")
        try await database.add(.ada)
        #expect(try await database.usernames == ["ada"])
    }

    @Test func `a full disk loses nothing, and writes succeed when there is room again`() async throws {
        let database = try folder.open()
        try await setPages(database, 46)
        var added: [Account] = []
        await #expect(throws: unavailable) {
            while added.count < 10_000 {
                var account = Account.sample("\(added.count)")
                account.name = "x".repeated(1000)
                try await database.add(account)
                added.append(account)
            }
        }
        #expect(added.count > 10)
        await #expect(throws: CollaboratorError.outage(of: "sessions")) {
            try await database.sessions { 0 }.save((0..<100).map { SessionStoreSuite.session($0) })
        }
        for _ in 0..<5 {
            var large = Account.sample("large")
            large.name = "x".repeated(100_000)
            let account = large
            await #expect(throws: unavailable) { try await database.add(account) }
        }
        for account in added { #expect(try await database.account(account.id) == account) }
        let sessions = database.sessions { 0 }
        #expect(!sessions.isAvailable)
        try await setPages(database, 100_000)
        try await database.add(.sample("more"))
        #expect(sessions.isAvailable)
        #expect(try await database.all.count == added.count + 1)
        database.close()
        #expect(try await folder.open().all.count == added.count + 1)
    }

    @Test func `a write to a file that was moved or deleted fails`() async throws {
        let database = try folder.open()
        try await database.add(.ada)
        let elsewhere = folder.database() + ".elsewhere"
        try Files.move(folder.database(), to: elsewhere)
        await #expect(throws: unavailable) { try await database.add(.bob) }
        await #expect(throws: unavailable) { try await database.all }
        #expect(Files.create(folder.database()))
        await #expect(throws: unavailable) { try await database.add(.bob) }
        try Files.remove(folder.database())
        try Files.move(elsewhere, to: folder.database())
        try await database.add(.sample("cy"))
        #expect(try await database.usernames == ["ada", "cy"])
    }

    @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
    func `calls fail without a file next to the database, and closing loses nothing`(_ endings: [String]) async throws {
        let errors = LockedValue<[any Error]>([])
        let path = folder.database()
        let database = try SQLiteDatabase(path: path) { error in errors.append(error) }
        try await database.add(.ada)
        for ending in endings { try Files.remove(path + ending) }
        await #expect(throws: unavailable) { try await database.add(.bob) }
        await #expect(throws: unavailable) { try await database.all }
        let error = SQLiteDatabaseError.logGone(path: path, log: path + endings[0])
        #expect(errors.value.allSatisfy { $0 as? SQLiteDatabaseError == error } || endings.count > 1)
        database.close()
        #expect(try await SQLiteDatabase(path: path).usernames == ["ada"])
    }

    @Test func `a closed database is unavailable`() async throws {
        let database = try folder.open()
        database.close()
        database.close()
        await #expect(throws: unavailable) { try await database.account(.random()) }
        await #expect(throws: unavailable) { try await database.add(.ada) }
    }

    @Test func `a read cannot change anything`() async throws {
        let database = try folder.open()
        try await database.add(.ada)
        await #expect(throws: unavailable) {
            try await database.read(of: .accounts) {
                try $0.execute(SQLStep(SQLStatement("test", "DELETE FROM account")))
            }
        }
        #expect(try await database.all.count == 1)
    }

    @Test func `every commit is synced to the disk`() async throws {
        #expect(try await folder.open().withWriter { try $0.integer("PRAGMA synchronous") } == 2)
    }

    /// Limits the file to that many pages, as a full disk does.
    func setPages(_ database: SQLiteDatabase, _ pages: Int) async throws {
        try await database.withWriter { try $0.execute("PRAGMA max_page_count = \(pages)") }
    }
}
