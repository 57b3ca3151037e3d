import Glibc
import ServiceLifecycle

/// Makes a second signal end the process at once: when the shutdown begins, the signals mean again what they mean by
/// default.
struct SecondSignal: Service {
    func run() async throws {
        try? await gracefulShutdown()
        for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
    }
}
