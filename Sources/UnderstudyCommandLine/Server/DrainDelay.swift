import Glibc
import ServiceLifecycle
import Synchronization
import UnixSignals

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

/// Makes a second SIGTERM or SIGINT end the wait for the drain, or else the process, at once.
struct SecondSignalService: Service {
    let delay: DrainDelay?

    func run() async throws {
        try? await gracefulShutdown()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        Task {
            for await second in signals where delay?.end() != true { Self.end(by: second.rawValue) }
        }
    }

    /// Ends the process by the signal's default action, on this thread so that no other thread handles it.
    static func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // The kernel discards such a signal for the first process of a container. This is the status that a shell reports for it.
        _exit(128 + number)
    }
}
