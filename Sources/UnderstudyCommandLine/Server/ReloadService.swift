import ServiceLifecycle
import UnixSignals

/// Reloads files at SIGHUP, and notifies systemd.
struct ReloadService: Service {
    let notifier: SystemdNotifier?
    let reload: @Sendable () -> Void

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            notifier?.notifyReloading()
            reload()
            notifier?.notifyReloaded()
        }
    }
}
