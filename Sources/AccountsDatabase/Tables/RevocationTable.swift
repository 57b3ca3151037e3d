internal import Accounts

/// The SQL of the table `session_revocation`.
enum RevocationTable {
    /// Records that the sessions of an account are revoked, and deletes its devices and sessions. Execute ``lock(_:)`` before.
    ///
    /// The last steps of a transaction, because in PostgreSQL all other revocations wait for its end.
    static func revoke(_ account: AccountID) -> [SQLStep] {
        [
            DeviceTable.deleteOfAccount(account), EndedSessionTable.insertSaved(account),
            SavedSessionTable.deleteOfAccount(account), SharedSessionTable.deleteOfAccount(account),
            insertStatement(account),
        ]
    }

    static func revocation(_ row: SQLRow) throws -> SessionRevocation {
        SessionRevocation(number: try row.number(0), account: AccountID(try row.text(1)))
    }

    private static let maximum = RowNumber.maximum

    /// Waits for logins and revocations of a user that have not been committed yet. Later ones wait for the end of the transaction.
    /// Without it, a login could miss a revocation that misses the login's session. SQLite has one transaction that writes at a time.
    static let lock = SQLStatement(
        "lock user",
        postgreSQL: "SELECT pg_advisory_xact_lock(hashtextextended('understudy user ' || $1::text, 0))"
    )

    /// The last revocation of a user's sessions, and the last revocation of all; 0 without one.
    static let selectLast = SQLStatement(
        "last revocation",
        """
        SELECT
            coalesce((SELECT number FROM session_revocation WHERE account_id = $1 AND number <= \(verbatim: maximum)), 0),
            coalesce((SELECT max(number) FROM session_revocation WHERE number <= \(verbatim: maximum)), 0)
        """
    )

    private static let insertStatement = SQLStatement(
        "revoke sessions",
        SQLText(
            postgreSQL: """
                WITH next AS (
                    UPDATE session_revocation_counter SET last = 1 + greatest(
                        CASE WHEN last BETWEEN 0 AND \(maximum) THEN last END,
                        (SELECT max(number) FROM session_revocation WHERE number BETWEEN 0 AND \(maximum)),
                        0
                    )
                    RETURNING last
                )
                INSERT INTO session_revocation (account_id, number) SELECT $1::text, last FROM next
                ON CONFLICT (account_id) DO UPDATE SET number = excluded.number
                """,
            sqlite: """
                INSERT OR REPLACE INTO session_revocation (number, account_id)
                VALUES (\(RowNumber.next(of: "session_revocation").sqlite)?1)
                """
        )
    )

    /// The revocations with greater numbers.
    static let select = SQLStatement(
        "session revocations",
        """
        \(TableDescription.revocation.selection())
        WHERE number > $1 AND number <= \(verbatim: maximum) ORDER BY number
        """
    )
}
