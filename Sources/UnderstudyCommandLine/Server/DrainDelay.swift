import Synchronization

/// The time between the signal to stop and the drain. Another signal ends it.
final class DrainDelay: Sendable {
    private let duration: Duration
    private let current = Mutex<Task<Void, Never>?>(nil)

    init(_ duration: Duration) {
        self.duration = duration
    }

    /// Returns when the time has passed or ``end()`` has been called.
    func wait() async {
        let task = Task { [duration] in _ = try? await Task.sleep(for: duration) }
        current.withLock { $0 = task }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        current.withLock { $0 = nil }
    }

    /// Ends the wait. Returns `false` if nothing waits.
    func end() -> Bool {
        current.withLock { $0.take() }.map { $0.cancel() } != nil
    }
}
