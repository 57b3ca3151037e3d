import AccountStoreSuite
import Accounts
import AccountsPostgreSQL
import SessionStorage
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized)
struct PostgreSQLSessionsTests {
    @Test func `a session whose user's sessions were revoked after the last known revocation is not returned`()
        async throws
    {
        try await withDatabase { database in
            let (ada, bob, eve) = (Account.sample("ada"), Account.sample("bob"), Account.sample("eve"))
            try await database.add([ada, bob, eve])
            try await database.change(ada.id, revokingSessions: true) { _ in }
            try await database.change(eve.id, revokingSessions: true) { _ in }
            let saved = [ada, bob, eve].enumerated().map { number, account in
                SessionStoreSuite.session(number, user: account.id.text, lastUsed: Int64(number))
            }
            // The server had ended the sessions of Ada before she logged in again, and not yet those of Eve.
            let store = database.sessions { 1 }
            try await store.save(saved + [SessionStoreSuite.session(7, lastUsed: 7)])
            _ = try await database.remove(bob.id)
            #expect(try await store.take(limit: 1) == [saved[0]])
            #expect(try await store.take(limit: 1) == [SessionStoreSuite.session(7, lastUsed: 7)])
            #expect(try await store.take(limit: 1).isEmpty)
        }
    }

    @Test(arguments: UnitOfWorkSuite.behaviours)
    func `an event's changes are one transaction`(_ behaviour: Behaviour<UnitOfWorkSuite.Database>) async throws {
        try await withDatabase { database in
            try await behaviour.check(UnitOfWorkSuite.Database(accounts: database, sessions: database.sessions { 0 }))
        }
    }

    @Test func `an operator reads the saved sessions of an account, which stay saved`() async throws {
        try await withDatabase { database in
            let ada = Account.sample("ada")
            let session = SessionStoreSuite.session(1, user: ada.id.text)
            let store = database.sessions { 0 }
            try await store.save([session, SessionStoreSuite.session(2)])
            #expect(try await database.savedSessions(of: ada.id) == [session])
            #expect(try await store.take(limit: 9).count == 2)
        }
    }

    @Test func `thousands of sessions are saved in one transaction`() async throws {
        try await withDatabase { database in
            let store = database.sessions { 0 }
            let saved = (0..<5000).map { SessionStoreSuite.session($0, lastUsed: Int64($0)) }
            try await store.save(saved)
            #expect(try await store.take(limit: 9999) == saved)
        }
    }
}
