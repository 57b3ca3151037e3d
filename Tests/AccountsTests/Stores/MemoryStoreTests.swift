import AccountStoreSuite
import Accounts
import Testing

@Suite struct `Stores in memory` {
    @Test(arguments: AccountStoreSuite.behaviours)
    func `a store of accounts in memory conforms`(_ behaviour: Behaviour<any AccountStore>) async throws {
        try await behaviour.check(MemoryAccountStore())
    }

    @Test(arguments: DeviceStoreSuite.behaviours)
    func `a store of devices in memory conforms`(_ behaviour: Behaviour<any DeviceStore>) async throws {
        try await behaviour.check(MemoryAccountStore())
    }

    @Test(arguments: ThrottleStoreSuite.behaviours)
    func `a store of failed logins in memory conforms`(_ behaviour: Behaviour<any ThrottleStore>) async throws {
        try await behaviour.check(MemoryThrottleStore())
    }

    @Test(arguments: OutboxSuite.behaviours)
    func `an outbox in memory conforms`(_ behaviour: Behaviour<OutboxSuite.Subject>) async throws {
        try await behaviour.check(OutboxSuite.Subject { MemoryOutbox(clock: $0) })
    }
}
