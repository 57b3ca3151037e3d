import Glibc
import ServiceLifecycle
import UnixSignals

/// Makes a second signal end the process at once: when the shutdown begins, the signals mean again what they mean by
/// default.
struct SecondSignal: Service {
    func run() async throws {
        try? await gracefulShutdown()
        // Dispatch, which has trapped the first signal, also takes those that come while the main thread blocks them.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
        Task {
            for await second in signals { Self.end(by: second.rawValue) }
        }
    }

    /// Ends the process as that signal does, on this thread so that nobody else can take it.
    private static func end(by number: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}
