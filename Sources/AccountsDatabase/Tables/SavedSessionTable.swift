internal import Accounts
internal import BusinessLogic
internal import SessionStorage

/// The SQL of the table `saved_session`.
enum SavedSessionTable {
    /// Saves a session, or replaces the one with the same ID.
    ///
    /// - Parameter revocation: the number of the last revocation that the session's server has applied.
    static func insert(_ session: StoredSession, revocation: Int) -> SQLStep {
        insertStatement(
            session.id,
            session.user,
            session.created,
            session.lastUsed,
            revocation,
            session.content,
            session.address,
            session.key
        )
    }

    static func session(_ row: SQLRow) throws -> StoredSession { try StoredSession(try row.bytes(0), row) }

    static func isRevoked(_ row: SQLRow) throws -> Bool { try row.boolean(7) }

    private static let columns: SQLText = "id, saved_session.account_id, created, last_used, content, address, key"

    private static let insertStatement = SQLStatement("save session", TableDescription.savedSession.upsertion)

    /// The sessions that have been unused longest, each with whether a later revocation concerns its user, which ``isRevoked(_:)`` reads.
    /// Locks them until the end of the transaction. In PostgreSQL, it skips the sessions that another server takes now.
    static let select = SQLStatement(
        "take sessions",
        """
        SELECT \(columns), coalesce(number, 0) > revocation
        FROM saved_session LEFT JOIN session_revocation ON session_revocation.account_id = saved_session.account_id
        ORDER BY last_used, id LIMIT $1\(postgreSQL: " FOR UPDATE OF saved_session SKIP LOCKED")
        """
    )

    /// The sessions of an account.
    static let selectOfAccount = SQLStatement(
        "sessions of account",
        """
        SELECT \(columns) FROM saved_session WHERE account_id = $1 ORDER BY last_used, id
        """
    )

    static let delete = SQLStatement("delete saved session", "DELETE FROM saved_session WHERE id = $1")

    /// Deletes the sessions of an account. There are few sessions in the table, or none, while a server runs.
    static let deleteOfAccount = SQLStatement(
        "delete sessions of account",
        "DELETE FROM saved_session WHERE account_id = $1"
    )
}

extension StoredSession {
    /// - Parameter row: contains the user, the two times, the content, the address and the key after its first column.
    init(_ id: [UInt8], _ row: SQLRow) throws {
        self.init(
            id: id,
            user: try row.optionalText(1),
            created: try row.time(2),
            lastUsed: try row.time(3),
            content: try row.bytes(4),
            address: try row.optionalBytes(5),
            key: try row.optionalText(6)
        )
    }
}
