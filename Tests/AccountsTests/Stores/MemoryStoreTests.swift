import AccountStoreSuite
import Accounts
import Testing

@Suite struct `Stores in memory` {
    @Test(arguments: AccountStoreSuite.behaviours)
    func `accounts in memory are kept as any store has to`(_ behaviour: Behaviour<any AccountStore>) async throws {
        try await behaviour.check(MemoryAccountStore())
    }

    @Test(arguments: DeviceStoreSuite.behaviours)
    func `devices in memory are kept as in any store`(_ behaviour: Behaviour<any DeviceStore>) async throws {
        try await behaviour.check(MemoryAccountStore())
    }

    @Test(arguments: ThrottleStoreSuite.behaviours)
    func `failed logins in memory are kept as any store has to`(_ behaviour: Behaviour<any ThrottleStore>) async throws
    {
        try await behaviour.check(MemoryThrottleStore())
    }
}
