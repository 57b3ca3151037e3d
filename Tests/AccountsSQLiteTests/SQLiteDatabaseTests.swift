@Suite(.fiveMinutes) struct SQLiteDatabaseTests {
    let folder = TemporaryFolder()

    @Test(arguments: Databases.behaviours)
    func `a file of SQLite conforms`(_ behaviour: Behaviour<Databases>) async throws {
        let path = folder.database()
        let (one, other) = (try SQLiteDatabase(path: path), try SQLiteDatabase(path: path))
        try await behaviour.check(Databases(one, other) { try await OtherConnection(path).execute($0) })
    }

    @Test func `no deleted session is left in the file`() async throws {
        let database = try folder.open()
        let store = database.sessions { 0 }
        let canary = "canary-7f3a".bytes
        var session = SessionStoreSuite.session(1)
        session.content = canary
        try await store.save([session])
        #expect(try await store.take(limit: 1).first?.content == canary)
        database.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database())).range(of: Data(canary)) == nil)
    }
}
