import AccountStoreSuite
import Accounts
import Testing

@Suite struct MemoryOutboxTests {
    @Test(arguments: OutboxSuite.behaviours)
    func `an outbox in memory conforms`(_ behaviour: Behaviour<OutboxSuite.Subject>) async throws {
        try await behaviour.check(OutboxSuite.Subject { MemoryOutbox(clock: $0) })
    }
}
