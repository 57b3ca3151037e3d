import ServiceLifecycle

/// Notifies the watchdog of systemd while the process is responsive.
struct SystemdWatchdog: Service {
    let notifier: SystemdNotifier
    /// The time without a notification after which systemd ends the process.
    let limit: Duration
    let isAlive: @Sendable () -> Bool

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                let isAlive = isAlive()
                if isAlive { notifier.notifyAlive() }
                // Checks more often while the process is not responsive, so that systemd is notified before the limit.
                try await Task.sleep(for: limit / (isAlive ? 2 : 20))
            }
        }
    }
}
