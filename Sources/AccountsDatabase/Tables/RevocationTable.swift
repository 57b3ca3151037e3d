import Accounts

enum RevocationTable {
    /// The latest revocation of each account's sessions. The numbers of later revocations are greater.
    static let description = TableDescription(name: "session_revocation", columns: ["number", "account_id"])

    /// Records that the sessions of an account are revoked, and deletes its devices and sessions. Execute ``lock(_:)`` before.
    ///
    /// The last steps of a transaction, because in PostgreSQL all other revocations wait for its end.
    static func revoke(_ account: AccountID) -> [SQLStep] {
        [
            begin(), DeviceTable.deleteOfAccount(account), SessionTable.deleteOfAccount(account),
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

    /// Waits until no server saves sessions, which a revocation would miss. SQLite has one transaction that writes at a time.
    private static let begin = SQLStatement(
        "begin revocation",
        postgreSQL: "LOCK TABLE session_revocation IN ROW EXCLUSIVE MODE"
    )

    /// Waits for revocations that have not been committed yet. Later ones wait for the end of the transaction.
    static let exclude = SQLStatement(
        "wait for revocations",
        postgreSQL: "LOCK TABLE session_revocation IN SHARE MODE"
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

    // In PostgreSQL, the number is a time unless the last one is greater: a standby that has lost the last revocations before its promotion must not
    // give their numbers to others, which the servers would take for those that they know.
    private static let insertStatement = SQLStatement(
        "revoke sessions",
        SQLText(
            postgreSQL: """
                WITH next AS (
                    UPDATE session_revocation_counter SET last = 1 + greatest(
                        CASE WHEN last BETWEEN 0 AND \(maximum) THEN last END,
                        (SELECT max(number) FROM session_revocation WHERE number BETWEEN 0 AND \(maximum)),
                        (extract(epoch FROM clock_timestamp()) * 1000)::bigint
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

    static let select = SQLStatement(
        "session revocations",
        """
        \(description.selection())
        WHERE number > $1 AND number <= \(verbatim: maximum) ORDER BY number
        """
    )
}
