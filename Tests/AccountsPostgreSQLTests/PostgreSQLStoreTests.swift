import AccountStoreSuite
import AccountsDatabase
import Accounts
import AccountsPostgreSQL
import BusinessLogic
import PostgreSQL
import SessionStorage
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized)
struct PostgreSQLStoreTests {
    @Test(arguments: AccountStoreSuite.behaviours)
    func `a store of accounts in PostgreSQL conforms`(_ behaviour: Behaviour<any AccountStore>) async throws {
        try await withDatabase { try await behaviour.check($0) }
    }

    @Test(arguments: DeviceStoreSuite.behaviours)
    func `a store of devices in PostgreSQL conforms`(_ behaviour: Behaviour<any DeviceStore>) async throws {
        try await withDatabase { try await behaviour.check($0) }
    }

    @Test(arguments: ThrottleStoreSuite.behaviours)
    func `a store of failed logins in PostgreSQL conforms`(_ behaviour: Behaviour<any ThrottleStore>) async throws {
        try await withDatabase { try await behaviour.check($0) }
    }

    @Test(arguments: OutboxSuite.behaviours)
    func `an outbox in PostgreSQL conforms`(_ behaviour: Behaviour<OutboxSuite.Subject>) async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { one in
                try await withDatabase(schema.uri) { other in
                    try await behaviour.check(OutboxSuite.Subject(one, other))
                }
            }
        }
    }

    @Test(arguments: SessionStoreSuite.behaviours + SessionStoreSuite.sharedBehaviours)
    func `a store of sessions in PostgreSQL conforms`(_ behaviour: Behaviour<any SessionStore>) async throws {
        try await withDatabase { try await behaviour.check($0.sessions { 0 }) }
    }

    @Test func `a database works without prepared statements, as a proxy that shares connections needs`() async throws {
        try await TestSchema.with { schema in
            var configuration = try PostgreSQLConfiguration.test(schema.uri)
            configuration.preparedStatements = false
            let database = try await PostgreSQLDatabase.open(configuration, logger: .silent)
            let ada = Account.sample("ada")
            try await database.add(ada)
            try await database.change(ada.id, revokingSessions: true) { $0.name = "Ada" }
            try await database.update(.account(ada.id)) { $0.failures += 1 }
            let device = Device(key: DeviceKey(bytes: [1]), account: ada.id, expires: Timestamp(milliseconds: 1))
            #expect(try await database.addDevice(device, replacing: nil, limit: 1, at: Timestamp(milliseconds: 0)))
            let session = SessionStoreSuite.session(1)
            try await database.sessions { 0 }.save([session])
            #expect(try await database.sessions { 0 }.take(limit: 9) == [session])
            #expect(try await database.accounts(after: AccountKey("a").bytes, limit: 9).map(\.name) == ["Ada"])
            await database.close(deadline: .now)
        }
    }

    @Test func `names are found, ordered and unique, however long they are`() async throws {
        var random = SystemRandomNumberGenerator()
        let beginning = String(repeating: "a", count: 300)
        // 5,000 random letters cannot be compressed to the size of an entry of an index.
        let names = ["b", "a", beginning].map { start in
            start
                + String(
                    String.UnicodeScalarView(
                        (0..<5000).map { _ in
                            Unicode.Scalar(0x4E00 + UInt32.random(in: 0..<20_000, using: &random)) ?? "a"
                        }
                    )
                )
        }
        try await withDatabase { database in
            let accounts = names.map { Account.sample($0, userID: $0) }
            try await database.add(accounts + [.sample(beginning)])
            for account in accounts {
                let key = AccountKey(account.username)
                #expect(try await database.account(username: key) == account)
                #expect(try await database.account(email: AccountKey(account.email)) == account)
                #expect(try await database.account(userID: account.username) == account)
                await #expect(throws: AccountConflict.userID) {
                    try await database.add(.sample("other", userID: account.userID))
                }
            }
            let sorted = (names + [beginning]).map { AccountKey($0) }.sorted()
            var read: [AccountKey] = []
            while let next = try await database.accounts(after: read.last?.bytes, limit: 1).first {
                read.append(AccountKey(next.username))
            }
            #expect(read == sorted)
        }
    }
}
