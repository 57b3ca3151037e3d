import AccountStoreSuite
import AccountsDatabase
import Accounts
import AccountsSQLite
import BusinessLogic
import Testing

@Suite struct `Two processes with one database` {
    private let folder = TemporaryFolder()

    @Test func `each connection reads the other's changes immediately`() async throws {
        let server = try SQLiteDatabase(path: folder.file())
        let tool = try SQLiteDatabase(path: folder.file())
        let ada = Account.sample("ada")
        try await tool.add(ada)
        #expect(try await server.account(ada.id) == ada)
        try await server.update(.account(ada.id)) { $0.failures = 1 }
        let count = try await tool.update(.account(ada.id)) { $0 }
        #expect(count.failures == 1)
        #expect(try await server.sessionRevocations(after: 0).isEmpty)
        #expect(try await tool.remove(ada.id))
        #expect(try await server.sessionRevocations(after: 0) == [SessionRevocation(number: 1, account: ada.id)])
    }

    @Test func `no simultaneous update is lost`() async throws {
        let both = [try SQLiteDatabase(path: folder.file()), try SQLiteDatabase(path: folder.file())]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask { try await both[index % 2].update(.unknownName(1)) { $0.failures += 1 } }
            }
            try await group.waitForAll()
        }
        let count = try await both[0].update(.unknownName(1)) { $0 }
        #expect(count.failures == 100)
    }

    @Test func `removing an account removes its failed logins`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        let ada = Account.sample("ada")
        try await database.add(ada)
        try await database.update(.account(ada.id)) { $0.failures = 1 }
        #expect(try await database.remove(ada.id))
        let count = try await database.update(.account(ada.id)) { $0 }
        #expect(count == FailureCount())
    }
}
