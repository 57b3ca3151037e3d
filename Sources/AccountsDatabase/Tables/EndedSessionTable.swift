/// The SQL of the table `ended_session`. Triggers of the table `session` insert its rows.
enum EndedSessionTable {
    static let description = TableDescription(name: "ended_session", columns: ["key", "attempts", "due"])

    /// The longest pause is an hour. A later time is from a clock that was ahead.
    private static let due: SQLText = "(due <= $1 OR due > $1 + 3600000)"

    /// Whether a key can be claimed now. A write delays other writes, so that it is asked first.
    static let isDue = SQLStatement("is session end due", "SELECT EXISTS (SELECT 1 FROM ended_session WHERE \(due))")

    // In PostgreSQL, it skips the keys that another server claims now.
    private static let dueKeys: SQLText = """
        SELECT key FROM ended_session WHERE \(due) ORDER BY due LIMIT $2\(.skippingLocked)
        """

    /// Claims at most that many keys for a minute from now, and longer the more often they have been claimed. Returns them.
    static let claim = SQLStatement(
        "claim session ends",
        """
        UPDATE ended_session
        SET attempts = attempts + 1, due = $1 + 60000 * (1 + \(.least)(attempts, 59))
        WHERE \("key", in: dueKeys) RETURNING key
        """
    )

    static let delete = SQLStatement("finish session end", "DELETE FROM ended_session WHERE key = $1")
}
