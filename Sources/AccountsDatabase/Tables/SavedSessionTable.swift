package import Accounts
package import SessionStorage

/// The SQL of the table `saved_session`.
package enum SavedSessionTable {
    /// Saves a session, or replaces the one with the same ID.
    ///
    /// - Parameter revocation: the number of the last revocation that the session's server has applied.
    package static func insert(_ session: StoredSession, revocation: Int) -> SQLStep {
        insertStatement(
            .bytes(session.id),
            .text(session.user),
            .time(session.created),
            .time(session.lastUsed),
            .number(revocation),
            .bytes(session.content),
            .bytes(session.address),
            .text(session.key)
        )
    }

    /// The sessions that have been unused longest, each with whether a later revocation concerns its user, which ``isRevoked(_:)`` reads.
    /// Locks them until the end of the transaction.
    package static func select(limit: Int) -> SQLStep { selectStatement(.number(limit)) }

    /// The sessions of an account.
    package static func select(of account: AccountID) -> SQLStep { selectOfAccount(.text(account.text)) }

    package static func delete(_ session: StoredSession) -> SQLStep { deleteStatement(.bytes(session.id)) }

    /// Deletes the sessions of an account. There are few sessions in the table, or none, while a server runs.
    package static func delete(of account: AccountID) -> SQLStep { deleteOfAccount(.text(account.text)) }

    package static func session(_ row: SQLRow) throws -> StoredSession {
        StoredSession(
            id: try row.bytes(0),
            user: try row.optionalText(1),
            created: try row.time(2),
            lastUsed: try row.time(3),
            content: try row.bytes(4),
            address: try row.optionalBytes(5),
            key: try row.optionalText(6)
        )
    }

    package static func isRevoked(_ row: SQLRow) throws -> Bool { try row.boolean(7) }

    private static let insertStatement = SQLStatement("save session", TableDescription.savedSession.upsertion)

    // In PostgreSQL, it skips the sessions that another server takes now.
    private static let selectStatement = SQLStatement(
        "take sessions",
        """
        SELECT id, saved_session.account_id, created, last_used, content, address, key, coalesce(number, 0) > revocation
        FROM saved_session LEFT JOIN session_revocation ON session_revocation.account_id = saved_session.account_id
        ORDER BY last_used, id LIMIT $1\(postgreSQL: " FOR UPDATE OF saved_session SKIP LOCKED")
        """
    )

    private static let selectOfAccount = SQLStatement(
        "sessions of account",
        isReadOnly: true,
        """
        SELECT id, account_id, created, last_used, content, address, key FROM saved_session
        WHERE account_id = $1 ORDER BY last_used, id
        """
    )

    private static let deleteStatement = SQLStatement("delete saved session", "DELETE FROM saved_session WHERE id = $1")

    private static let deleteOfAccount = SQLStatement(
        "delete sessions of account",
        "DELETE FROM saved_session WHERE account_id = $1"
    )
}
