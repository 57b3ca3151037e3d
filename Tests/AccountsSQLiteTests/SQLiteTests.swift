import AccountStoreSuite
import Accounts
import AccountsSQLite
import Testing

@Suite struct `Stores in a file` {
    private let folder = TemporaryFolder()

    @Test(arguments: AccountStoreSuite.behaviours)
    func `accounts in a file are kept as any store has to`(_ behaviour: Behaviour<any AccountStore>) async throws {
        try await behaviour.check(SQLiteDatabase(path: folder.file()))
    }

    @Test(arguments: DeviceStoreSuite.behaviours)
    func `devices in a file are kept as in any store`(_ behaviour: Behaviour<any DeviceStore>) async throws {
        try await behaviour.check(SQLiteDatabase(path: folder.file()))
    }

    @Test(arguments: ThrottleStoreSuite.behaviours)
    func `failed logins in a file are kept as any store has to`(_ behaviour: Behaviour<any ThrottleStore>) async throws
    {
        try await behaviour.check(SQLiteDatabase(path: folder.file()))
    }
}
