import Synchronization

/// Whether the event loops that serve the service are well.
final class Liveness: Sendable {
    private let check = Mutex<@Sendable () -> Bool>({ true })

    var isAlive: Bool {
        let check = check.withLock { $0 }
        return check()
    }

    /// From now on the check says it.
    func watch(_ check: @escaping @Sendable () -> Bool) {
        self.check.withLock { $0 = check }
    }
}
