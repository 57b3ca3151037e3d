import ServiceLifecycle
import UnixSignals

/// Reads again, at a SIGHUP, what can be read again, and tells systemd of it.
struct Reload: Service {
    let notifier: SystemdNotifier?
    let action: @Sendable () -> Void

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            notifier?.isReloading()
            action()
            notifier?.hasReloaded()
        }
    }
}
