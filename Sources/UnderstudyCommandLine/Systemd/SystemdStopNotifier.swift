import ServiceLifecycle

/// Notifies systemd that the process stops. It must be the last service of its group, which a group stops first.
struct SystemdStopNotifier: Service {
    let notifier: SystemdNotifier

    func run() async throws {
        try? await gracefulShutdown()
        notifier.notifyStopping()
    }
}
