import ServiceLifecycle
import UnixSignals

/// Reloads at SIGHUP what can change while the server runs, and notifies systemd.
struct ReloadService: Service {
    /// The signals, which wait here from the start of the process on: one that arrives before the server listens is not lost.
    let signals: UnixSignalsSequence
    let notifier: SystemdNotifier?
    let reload: @Sendable () async -> Void

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() {
            notifier?.notifyReloading()
            await reload()
            notifier?.notifyReloaded()
        }
    }
}
