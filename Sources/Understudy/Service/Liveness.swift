import Synchronization

/// Checks whether the service's event loops respond.
final class Liveness: Sendable {
    /// A structure, because a closure that is stored in a generic type by itself gets another reabstraction thunk at each access, which calls
    /// all the earlier ones.
    private struct Check {
        let isAlive: @Sendable () -> Bool
    }

    private let check = Mutex(Check { true })

    var isAlive: Bool { check.withLock { $0 }.isAlive() }

    /// Replaces the check.
    func watch(_ isAlive: @escaping @Sendable () -> Bool) {
        check.withLock { $0 = Check(isAlive: isAlive) }
    }
}
