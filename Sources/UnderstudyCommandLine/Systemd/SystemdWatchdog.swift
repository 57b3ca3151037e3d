import ServiceLifecycle

/// Tells systemd that the process is well, for as long as it is.
struct SystemdWatchdog: Service {
    let notifier: SystemdNotifier
    /// After how long a silence systemd ends the process.
    let limit: Duration
    let isAlive: @Sendable () -> Bool

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                let isAlive = isAlive()
                if isAlive { notifier.isWell() }
                // Once it is well again, systemd hears of it in time.
                try await Task.sleep(for: limit / (isAlive ? 2 : 20))
            }
        }
    }
}
