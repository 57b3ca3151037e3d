import Glibc
import ServiceLifecycle
import UnixSignals

/// Makes a second signal end the process at once.
struct SecondSignal: Service {
    func run() async throws {
        try? await gracefulShutdown()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        Task {
            for await second in signals { Self.end(by: second.rawValue) }
        }
    }

    /// Ends the process as that signal does, on this thread so that nobody else can take it.
    private static func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // The first process of a container is spared by its own signals. This is what a shell makes of them.
        _exit(128 + number)
    }
}
