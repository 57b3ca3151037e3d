import AccountStoreSuite
import AccountsDatabase
import Accounts
import AccountsSQLite
import BusinessLogic
import Foundation
import SessionStorage
import Testing

@Suite struct SQLiteSessionsTests {
    private let folder = TemporaryFolder()

    @Test(arguments: SessionStoreSuite.behaviours + SessionStoreSuite.sharedBehaviours)
    func `a store of sessions in a file conforms`(_ behaviour: Behaviour<any SessionStore>) async throws {
        try await behaviour.check(SQLiteDatabase(path: folder.file()).sessions { 0 })
    }

    @Test(arguments: SessionLimitSuite.behaviours)
    func `sessions in a file are limited`(_ behaviour: Behaviour<SessionLimitSuite.Subject>) async throws {
        try await behaviour.check(SessionLimitSuite.Subject(SQLiteDatabase(path: folder.file()).sessions { 0 }))
    }

    @Test(arguments: UnitOfWorkSuite.behaviours)
    func `an event's changes of a file are one transaction`(_ behaviour: Behaviour<UnitOfWorkSuite.Database>)
        async throws
    {
        let database = try SQLiteDatabase(path: folder.file())
        try await behaviour.check(UnitOfWorkSuite.Database(accounts: database, sessions: database.sessions { 0 }))
    }

    @Test func `sessions stay in the file while it is closed`() async throws {
        let path = folder.file()
        let database = try SQLiteDatabase(path: path)
        try await database.sessions { 0 }.save([SessionStoreSuite.session(1)])
        database.close()
        let reopened = try SQLiteDatabase(path: path)
        #expect(try await reopened.sessions { 0 }.take(limit: 10) == [SessionStoreSuite.session(1)])
    }

    @Test func `no deleted session is left in the file`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        let store = database.sessions { 0 }
        let canary = Array("canary-7f3a".utf8)
        let session = SessionStoreSuite.session(1)
        try await store.save([
            StoredSession(
                id: session.id,
                user: nil,
                created: session.created,
                lastUsed: session.lastUsed,
                content: canary
            )
        ])
        #expect(try await store.take(limit: 1).first?.content == canary)
        database.close()
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        #expect(file.range(of: Data(canary)) == nil)
    }
}
