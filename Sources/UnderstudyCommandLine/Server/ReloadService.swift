import ServiceLifecycle
import UnixSignals

/// Reloads at SIGHUP what can change while the server runs, and notifies systemd.
struct ReloadService: Service {
    let notifier: SystemdNotifier?
    let reload: @Sendable () async -> Void

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            notifier?.notifyReloading()
            await reload()
            notifier?.notifyReloaded()
        }
    }
}
