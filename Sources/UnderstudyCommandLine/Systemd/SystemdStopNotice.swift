import ServiceLifecycle

/// Tells systemd that the process stops. A group stops its last service first: this is to be the last.
struct SystemdStopNotice: Service {
    let notifier: SystemdNotifier

    func run() async throws {
        try? await gracefulShutdown()
        notifier.isStopping()
    }
}
