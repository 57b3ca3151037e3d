internal import Accounts
internal import PostgreSQL
internal import SessionStorage

/// The SQL of the table `saved_session`.
enum SavedSessionTable {
    /// Saves a session, or replaces the one with the same ID.
    ///
    /// - Parameter revocation: the number of the last revocation that the session's server has applied.
    static func insert(_ session: StoredSession, revocation: Int) -> PostgreSQLStep {
        insertStatement(
            .bytes(session.id),
            .utf8(session.user),
            .time(session.created),
            .time(session.lastUsed),
            .number(revocation),
            .bytes(session.content),
            session.address.map { .bytes($0) } ?? .null
        )
    }

    /// Deletes the sessions that have been unused longest, and returns each with whether a later revocation concerns its user, which
    /// ``isRevoked(_:)`` reads.
    static func take(limit: Int) -> PostgreSQLStep { takeStatement(.number(limit)) }

    /// The sessions of an account.
    static func select(of account: AccountID) -> PostgreSQLStep { selectOfAccount(.utf8(account.text)) }

    /// Deletes the sessions of an account.
    static func delete(of account: AccountID) -> PostgreSQLStep { deleteOfAccount(.utf8(account.text)) }

    static func session(_ row: PostgreSQLRow) throws -> StoredSession {
        StoredSession(
            id: try row.bytes(0),
            user: try row.optionalUTF8(1),
            created: try row.time(2),
            lastUsed: try row.time(3),
            content: try row.bytes(4),
            address: try row.optionalBytes(5)
        )
    }

    static func isRevoked(_ row: PostgreSQLRow) throws -> Bool { try row.boolean(6) }

    private static let insertStatement = PostgreSQLStatement(
        name: "save session",
        sql: """
            INSERT INTO saved_session (id, account_id, created, last_used, revocation, content, address)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (id) DO UPDATE SET
                account_id = excluded.account_id, created = excluded.created, last_used = excluded.last_used,
                revocation = excluded.revocation, content = excluded.content, address = excluded.address
            """
    )

    // Skips the sessions that another server takes now.
    private static let takeStatement = PostgreSQLStatement(
        name: "take sessions",
        sql: """
            WITH taken AS (
                DELETE FROM saved_session WHERE id = ANY (ARRAY(
                    SELECT id FROM saved_session ORDER BY last_used, id LIMIT $1 FOR UPDATE SKIP LOCKED
                ))
                RETURNING *
            )
            SELECT id, taken.account_id, created, last_used, content, address, coalesce(number, 0) > revocation
            FROM taken LEFT JOIN session_revocation ON session_revocation.account_id = taken.account_id
            ORDER BY last_used, id
            """
    )

    private static let selectOfAccount = PostgreSQLStatement(
        name: "sessions of account",
        isReadOnly: true,
        sql: """
            SELECT id, account_id, created, last_used, content, address FROM saved_session
            WHERE account_id = $1 ORDER BY last_used, id
            """
    )

    private static let deleteOfAccount = PostgreSQLStatement(
        name: "delete sessions of account",
        sql: "DELETE FROM saved_session WHERE account_id = $1"
    )
}
