import Synchronization

/// Checks whether the service's event loops respond.
final class Liveness: Sendable {
    private let check = Mutex<@Sendable () -> Bool>({ true })

    var isAlive: Bool {
        let check = check.withLock { $0 }
        return check()
    }

    /// Replaces the check.
    func watch(_ check: @escaping @Sendable () -> Bool) {
        self.check.withLock { $0 = check }
    }
}
