import AccountStoreSuite
import AccountsDatabase
import AccountsSQLite
import BusinessLogic
import SQLStatements
import Testing

@Suite struct MemoryPageStoreTests {
    @Test(arguments: PageStoreSuite.storeBehaviours)
    func `a store in memory conforms`(_ behaviour: Behaviour<any PageStore>) async throws {
        try await behaviour.check(try MemoryPageStore(PageStoreSuite.migrations, topics: Topics()))
    }

    @Test func `a store in memory reports an invalid migration with the message of SQLite`() {
        let error = #expect(throws: SQLiteDatabaseError.self) { try MemoryPageStore(["CREATE"], topics: Topics()) }
        #expect(error.map { "\($0)".contains("incomplete input") } == true)
    }
}
