import Accounts
import BusinessLogic
import Synchronization

/// Keeps events for a test to look at.
final class AuditSpy: AuditLog {
    private let recorded = Mutex<[AuditEvent]>([])

    func record(_ event: AuditEvent) { recorded.withLock { $0.append(event) } }

    var events: [AuditEvent] { recorded.withLock { $0 } }
    var kinds: [AuditEvent.Kind] { events.map(\.kind) }
    var reasons: [String] { events.compactMap(\.reason) }
}

/// A throttle store that counts what it is asked, and can be interrupted.
final class CountingThrottles: ThrottleStore {
    private let store = MemoryThrottleStore()
    private let count = Mutex(0)
    private let interruption = Mutex<(@Sendable () async -> Void)?>(nil)

    var updates: Int { count.withLock { $0 } }

    /// What happens once, after the next update.
    var whileUpdating: (@Sendable () async -> Void)? {
        get { interruption.withLock { $0 } }
        set { interruption.withLock { $0 = newValue } }
    }

    func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        count.withLock { $0 += 1 }
        let result = try await store.update(key, change)
        let interrupt = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        await interrupt?()
        return result
    }
}

/// Returns when the condition is met; a time limit ends the test if it never is.
func reached(_ condition: @Sendable () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
