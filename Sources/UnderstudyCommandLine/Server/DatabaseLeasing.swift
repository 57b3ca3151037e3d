import AccountsPostgreSQL
import CoreMetrics
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import Understudy

/// Lets no other server use the database while one has its sessions in memory: such a server has the lease alone. Servers with sessions in the
/// database share it.
struct DatabaseLeasing: Service {
    /// What people know the database by.
    let database: String
    /// What to do if another server has the lease.
    let advice: String
    let mode: SessionMode
    /// Takes the lease of that mode, or confirms it. `false` if another server has one that excludes it.
    let hold: @Sendable (SessionMode) async throws -> Bool
    let release: @Sendable () async -> Void
    /// The time between two confirmations.
    var interval: Duration = .seconds(5)

    /// After that many confirmations in a row that were refused, another server has the lease. The first ones can be refused because of the own
    /// connection, until a database server notices after 25 seconds that it was interrupted.
    private static let maximumRefusals = 7

    /// Takes the lease, or throws ``CommandError`` if another server has it. Waits for two seconds, in which a database server notices that
    /// the process which had it was killed.
    func take() async throws {
        for _ in 1...10 {
            if try await hold(mode) { return }
            try await Task.sleep(for: .milliseconds(200))
        }
        guard try await hold(mode) else { throw await isHeld() }
    }

    /// The error of a server that does not get the lease, and ends.
    private func isHeld() async -> CommandError {
        var other = SessionMode.memory
        // A server in memory mode would refuse a shared lease as well.
        if mode == .memory, (try? await hold(.database)) == true { other = .database }
        return CommandError(
            "Another server with 'sessions: \(other)' uses the database '\(database)'. Stop it first, or \(advice)."
        )
    }

    /// Confirms the lease until a graceful shutdown, and gives it back. Continues while the database cannot be reached, because nothing is
    /// known then. Throws ``CommandError`` if another server has taken the lease during an outage. Then this server must end.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                var refusals = 0
                while refusals < Self.maximumRefusals {
                    try await Task.sleep(for: interval)
                    do { refusals = try await hold(mode) ? 0 : refusals + 1 } catch is PostgreSQLError {}
                }
                throw await isHeld()
            }
        } catch {
            await release()
            if !(error is CancellationError) { throw error }
        }
    }
}

extension DatabaseLocation {
    /// The lease of a server with sessions of that mode; `nil` if there can be no lease, because PgBouncer gives each transaction another connection.
    func leasing(_ mode: SessionMode) -> DatabaseLeasing? {
        switch self {
        case .file(let path, _):
            let lock = FileLock(path: path)
            return DatabaseLeasing(
                database: name,
                advice: "give this one a database of its own",
                mode: mode,
                hold: lock.take,
                release: {}
            )
        case .server(let configuration):
            guard configuration.preparedStatements else { return nil }
            let lease = DatabaseLease(configuration) {
                PostgreSQLPool($0, logger: .silent, factory: NOOPMetricsHandler.instance)
            }
            return DatabaseLeasing(
                database: name,
                advice: "set 'sessions: database' for all servers",
                mode: mode,
                hold: { try await lease.hold(isShared: $0 == .database) },
                release: lease.release
            )
        }
    }
}

/// A lock on the file of a database, which ends with the process. It is independent of SQLite's own locks.
private final class FileLock: Sendable {
    private let path: String
    private let isTaken = Mutex(false)

    init(path: String) {
        self.path = path
    }

    /// Takes the lock, which processes in database mode share. Returns `false` if another process has one that excludes it.
    @Sendable func take(_ mode: SessionMode) throws -> Bool {
        try isTaken.withLock { isTaken in
            if isTaken { return true }
            // Never closed while the process uses the file: that would end SQLite's locks.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw CommandError("The database '\(path)' cannot be opened: \(systemError()).")
            }
            isTaken = flock(descriptor, (mode == .memory ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 || errno != EWOULDBLOCK
            return isTaken
        }
    }
}
