internal import AccountsDatabase

/// Marks a database as that of the one server that has its sessions in memory. The clients of a second one would lose theirs at each request
/// that reaches the other.
///
/// It is a lock of a connection of its own, so that PostgreSQL takes it back when the process ends, however that happens, and within half a minute
/// when its machine disappears.
package final class DatabaseLease: Sendable {
    private let pool: PostgreSQLPool

    /// - Parameters:
    ///   - configuration: the server. Its connections must not go through PgBouncer in transaction mode.
    ///   - make: returns a pool.
    package init(
        _ configuration: PostgreSQLConfiguration,
        pool make: (PostgreSQLConfiguration) -> PostgreSQLPool
    ) {
        var configuration = configuration
        configuration.maximumConnections = 1
        // A connection that replaces another one does not have the lock.
        configuration.maximumLifetime = .seconds(315_360_000)
        pool = make(configuration)
    }

    /// Takes the lease, or takes it again if its connection was lost. Call it after the tables have been migrated.
    ///
    /// - Returns: `false` if another process has it.
    /// - Throws: ``PostgreSQLError`` if the server cannot be reached.
    package func hold() async throws -> Bool {
        try await pool.execute(Self.hold())[0].boolean(0)
    }

    /// Gives the lease back, at the latest when the server notices that the connection is closed.
    package func release() async {
        // Before it is closed, so that a server that starts now does not find the lease held.
        _ = try? await pool.execute(Self.unlock(), deadline: .now + .seconds(1))
        await pool.close(deadline: .now)
    }

    private static let unlock = SQLStatement("release session lease", postgreSQL: "SELECT pg_advisory_unlock_all()")

    /// The settings let the server notice within 25 seconds that the machine of its client has disappeared.
    private static let hold = SQLStatement(
        "hold session lease",
        postgreSQL: """
            SELECT pg_try_advisory_lock(hashtextextended('understudy sessions in memory', 'session'::regclass::oid::bigint)), \
            set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false), \
            set_config('tcp_keepalives_count', '3', false)
            """
    )
}
