struct DatabaseInMemoryTests {
    @Test(arguments: UnitOfWorkSuite.behaviours)
    func `what events write is committed with them`(_ behaviour: Behaviour<any SQLDatabase>) async throws {
        try await behaviour.check(SQLiteDatabase.inMemory())
    }

    @Test(arguments: PageStoreSuite.storeBehaviours)
    func `tables of pages conform`(_ behaviour: Behaviour<PageDatabase>) async throws {
        let database = try SQLiteDatabase.inMemory(pages: PageStoreSuite.migrations)
        try await behaviour.check(PageDatabase(database, topics: Topics()))
    }

    @Test func `a write publishes its topics at once`() async throws {
        let topics = Topics()
        let store = PageDatabase(try SQLiteDatabase.inMemory(pages: PageStoreSuite.migrations), topics: topics)
        let number = topics.latest
        try await store.write(publishing: "slots") { _ in }
        #expect(topics.havePublished(["slots"], after: number))
        #expect(!topics.havePublished(["other"], after: number))
    }

    @Test func `an invalid migration is reported with the message of SQLite`() {
        let error = #expect(throws: SQLiteDatabaseError.self) { try SQLiteDatabase.inMemory(pages: ["CREATE"]) }
        #expect(error.map { "\($0)".contains("incomplete input") } == true)
    }

    @Test func `an invalid statement is reported with the message of SQLite, and is no outage`() async throws {
        let database = try SQLiteDatabase.inMemory()
        let store = PageDatabase(database, topics: Topics())
        let error = await #expect(throws: SQLiteError.self) {
            try await store.read(SQLStatement("own invalid", "SELECT * FROM own_missing")()) { _ in 0 }
        }
        #expect(error?.message.contains("own_missing") == true)
        await database.checkHealth()
        #expect(database.health.isAvailable)
    }

    @Test func `everything is as it was when its contents are restored`() async throws {
        let database = try SQLiteDatabase.inMemory()
        let (ada, bob) = (Account.ada, Account.bob)
        try await database.add(ada)
        let contents = try await database.contents()
        for _ in 1...2 {
            try await database.add(bob)
            #expect(try await database.remove(ada.id))
            try await database.restore(contents)
            #expect(try await database.all == [ada])
            #expect(try await database.revocations == [])
        }
    }

    @Test func `it is separate from other databases, and cannot be used after it was closed`() async throws {
        let (database, other) = (try SQLiteDatabase.inMemory(), try SQLiteDatabase.inMemory())
        try await database.add(.ada)
        #expect(try await other.all == [])
        database.close()
        await #expect(throws: SQLiteError.self) { try await database.all }
        await #expect(throws: SQLiteError.self) { try await database.add(.bob) }
    }
}
