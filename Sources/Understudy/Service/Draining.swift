import Synchronization

/// Whether the service is about to stop.
final class Draining: Sendable {
    private let flag = Atomic<Bool>(false)

    var hasStarted: Bool { flag.load(ordering: .acquiring) }

    func start() {
        flag.store(true, ordering: .releasing)
    }
}
