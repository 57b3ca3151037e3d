import BusinessLogic
import Logging
import AccountsPostgreSQL
import ServiceLifecycle

/// Waits until the database can be used, and then runs the services that need it.
///
/// A database server may start later than this process. An error that waiting does not correct, such as a wrong password, ends the process.
struct DatabaseWait: Service {
    let accounts: OpenedAccounts
    /// The location of the database; `nil` for the demonstration.
    let location: DatabaseLocation?
    /// Taken before the services run; `nil` if other servers may use the database.
    let lease: SessionLeasing?
    let services: [any Service]
    let notifier: SystemdNotifier?
    let logger: Logger

    /// The shortest and the longest time between two attempts.
    private static let delays = (first: Duration.milliseconds(250), maximum: Duration.seconds(5))

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await prepare() }
        } catch is CancellationError {
            return
        }
        if Task.isShuttingDownGracefully { return }
        try await ServiceGroup(services: services, logger: .silent).run()
    }

    private func prepare() async throws {
        var delay = Self.delays.first
        for attempt in 1... {
            do {
                try await accounts.prepare()
                return try await lease?.take() ?? ()
            } catch {
                guard isTemporary(error) else { throw location?.explained(error) ?? error }
                let reason: Logger.Metadata = [
                    "attempt": "\(attempt)", "database": "\(location?.name ?? "")", "error": "\(error)",
                ]
                logger.warning("Waiting for the database", metadata: reason)
                notifier?.notify(status: "Waiting for the database: \(error)")
            }
            try await Task.sleep(for: delay)
            delay = min(delay * 2, Self.delays.maximum)
        }
    }

    /// Whether a database server may accept the next attempt. A file does not.
    private func isTemporary(_ error: any Error) -> Bool {
        guard location?.isServer == true else { return false }
        // A call of the store has failed, and its cause has been logged.
        return (error as? PostgreSQLError)?.isTemporary ?? (error is CollaboratorError)
    }
}
