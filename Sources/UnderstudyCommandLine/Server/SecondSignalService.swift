import Glibc
import ServiceLifecycle
import UnixSignals

/// Makes a second SIGTERM or SIGINT end the process at once.
struct SecondSignalService: Service {
    func run() async throws {
        try? await gracefulShutdown()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        Task {
            for await second in signals { Self.end(by: second.rawValue) }
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
