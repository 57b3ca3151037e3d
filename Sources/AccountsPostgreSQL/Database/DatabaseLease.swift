import AccountsDatabase

/// Marks a database as that of the one server that has its sessions in memory, or of several that have theirs in the database. The clients of a
/// server with sessions in memory would lose theirs at each request that reaches another one.
///
/// It is a lock of a connection of its own, so that PostgreSQL takes it back when the process ends, however that happens, and within half a minute
/// when its machine disappears.
package final class DatabaseLease: Sendable {
    private let pool: PostgreSQLPool

    /// The connections must not go through PgBouncer in transaction mode.
    package init(_ configuration: PostgreSQLConfiguration, pool make: (PostgreSQLConfiguration) -> PostgreSQLPool) {
        var configuration = configuration
        configuration.maximumConnections = 1
        // A connection that replaces another one does not have the lock.
        configuration.maximumLifetime = .seconds(315_360_000)
        pool = make(configuration)
    }

    /// Takes the lease, or takes it again if its connection was lost. Call it after the tables have been migrated. Returns `false` if another
    /// process has a lease that excludes this one, and throws ``PostgreSQLError`` if the server cannot be reached.
    package func hold(isShared: Bool) async throws -> Bool {
        try await pool.execute(isShared ? Self.share() : Self.hold())[0].boolean(0)
    }

    /// Gives the lease back, at the latest when the server notices that the connection is closed.
    package func release() async {
        // Before it is closed, so that a server that starts now does not find the lease held.
        _ = try? await pool.execute(Self.unlock(), deadline: .now + .seconds(1))
        await pool.close(deadline: .now)
    }

    private static let unlock = SQLStatement("release session lease", postgreSQL: "SELECT pg_advisory_unlock_all()")

    private static let hold = SQLStatement("hold session lease", postgreSQL: holding("pg_try_advisory_lock"))

    private static let share = SQLStatement("share session lease", postgreSQL: holding("pg_try_advisory_lock_shared"))

    /// The settings let the server notice within 25 seconds that the machine of its client has disappeared.
    private static func holding(_ lock: String) -> String {
        """
        SELECT \(lock)(hashtextextended('understudy sessions in memory', 'session'::regclass::oid::bigint)), \
        set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false), \
        set_config('tcp_keepalives_count', '3', false)
        """
    }
}
