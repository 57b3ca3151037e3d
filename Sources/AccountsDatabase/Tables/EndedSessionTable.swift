package import BusinessLogic

/// The SQL of the table `ended_session`. Triggers of the table `session` insert most of its rows.
package enum EndedSessionTable {
    /// Adds the key of a saved session that has ended.
    package static func insert(_ key: String) -> SQLStep { insertStatement(.text(key)) }

    /// Adds the keys of an account's saved sessions, which end.
    package static func insertSaved(of account: SQLValue) -> SQLStep { insertSavedStatement(account) }

    /// Whether a key can be claimed. A write delays other writes, so that it is asked first.
    package static func isDue(at now: Timestamp) -> SQLStep { isDueStatement(.time(now)) }

    /// Claims keys for a minute, and longer the more often they have been claimed. Returns them.
    package static func claim(limit: Int, at now: Timestamp) -> SQLStep { claimStatement(.time(now), .number(limit)) }

    package static func delete(_ key: String) -> SQLStep { deleteStatement(.text(key)) }

    private static let insertStatement = SQLStatement(
        "end saved session",
        "INSERT INTO ended_session (key) VALUES ($1) ON CONFLICT (key) DO NOTHING"
    )

    private static let insertSavedStatement = SQLStatement(
        "end saved sessions of account",
        """
        INSERT INTO ended_session (key)
        SELECT key FROM saved_session WHERE account_id = $1 AND key IS NOT NULL ON CONFLICT (key) DO NOTHING
        """
    )

    /// The longest pause is an hour. A later time is from a clock that was ahead.
    private static let due: SQLText = "(due <= $1 OR due > $1 + 3600000)"

    private static let isDueStatement = SQLStatement(
        "is session end due",
        isReadOnly: true,
        "SELECT EXISTS (SELECT 1 FROM ended_session WHERE \(due))"
    )

    // In PostgreSQL, it skips the keys that another server claims now.
    private static let dueKeys: SQLText = """
        SELECT key FROM ended_session WHERE \(due) ORDER BY due LIMIT $2\(postgreSQL: " FOR UPDATE SKIP LOCKED")
        """

    private static let claimStatement = SQLStatement(
        "claim session ends",
        """
        UPDATE ended_session
        SET attempts = attempts + 1, due = $1 + 60000 * (1 + \(postgreSQL: "least", sqlite: "min")(attempts, 59))
        WHERE \("key", in: dueKeys) RETURNING key
        """
    )

    private static let deleteStatement = SQLStatement("finish session end", "DELETE FROM ended_session WHERE key = $1")
}
