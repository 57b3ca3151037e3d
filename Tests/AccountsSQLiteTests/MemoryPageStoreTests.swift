import AccountStoreSuite
import AccountsDatabase
import AccountsSQLite
import BusinessLogic
import SQLStatements
import Testing
import UnderstudyTesting

@Suite struct SharedTopicsTests {
    private let folder = TemporaryFolder()

    private func processes() throws -> [SharedTopicsSuite.Process] {
        [
            SharedTopicsSuite.Process(try SQLiteDatabase(path: folder.file())),
            SharedTopicsSuite.Process(try SQLiteDatabase(path: folder.file())),
        ]
    }

    @Test(arguments: SharedTopicsSuite.behaviours)
    func `processes with one file publish topics for each other`(_ behaviour: Behaviour<[SharedTopicsSuite.Process]>)
        async throws
    {
        try await behaviour.check(try processes())
    }

    @Test(arguments: PageStoreSuite.behaviours)
    func `a file stores the tables of an embedder`(_ behaviour: Behaviour<[SharedTopicsSuite.Process]>) async throws {
        try await behaviour.check(try processes())
    }

    @Test(arguments: PageStoreSuite.storeBehaviours)
    func `a store in a file conforms`(_ behaviour: Behaviour<any PageStore>) async throws {
        let database = try SQLiteDatabase(path: folder.file())
        try await database.migratePages(PageStoreSuite.migrations)
        try await behaviour.check(database.pageStore(database.sharedTopics(Topics(), clock: ManualClock())))
    }

    @Test(arguments: PageStoreSuite.storeBehaviours)
    func `a store in memory conforms`(_ behaviour: Behaviour<any PageStore>) async throws {
        try await behaviour.check(try MemoryPageStore(PageStoreSuite.migrations, topics: Topics()))
    }

    @Test func `a store in memory reports an invalid migration with the message of SQLite`() {
        let error = #expect(throws: SQLiteDatabaseError.self) { try MemoryPageStore(["CREATE"], topics: Topics()) }
        #expect(error.map { "\($0)".contains("incomplete input") } == true)
    }
}
