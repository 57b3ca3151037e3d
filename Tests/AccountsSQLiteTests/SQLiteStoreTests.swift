import AccountStoreSuite
import Accounts
import AccountsDatabase
import AccountsSQLite
import Testing

@Suite struct `Stores in a file` {
    private let folder = TemporaryFolder()

    @Test(arguments: AccountStoreSuite.behaviours)
    func `a store of accounts in a file conforms`(_ behaviour: Behaviour<any AccountStore>) async throws {
        try await behaviour.check(SQLiteDatabase(path: folder.file()))
    }

    @Test(arguments: DeviceStoreSuite.behaviours)
    func `a store of devices in a file conforms`(_ behaviour: Behaviour<any DeviceStore>) async throws {
        try await behaviour.check(SQLiteDatabase(path: folder.file()))
    }

    @Test(arguments: OutboxSuite.behaviours)
    func `an outbox in a file conforms`(_ behaviour: Behaviour<OutboxSuite.Subject>) async throws {
        let one = try SQLiteDatabase(path: folder.file())
        let other = try SQLiteDatabase(path: folder.file())
        try await behaviour.check(OutboxSuite.Subject(one, other))
    }

    @Test(arguments: DatabaseSuite.behaviours)
    func `a database in a file conforms`(_ behaviour: Behaviour<[any SQLDatabase]>) async throws {
        try await behaviour.check([SQLiteDatabase(path: folder.file()), SQLiteDatabase(path: folder.file())])
    }

    @Test(arguments: ThrottleStoreSuite.behaviours)
    func `a store of failed logins in a file conforms`(_ behaviour: Behaviour<any ThrottleStore>) async throws {
        try await behaviour.check(SQLiteDatabase(path: folder.file()))
    }
}
