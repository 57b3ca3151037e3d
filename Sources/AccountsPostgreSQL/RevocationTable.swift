internal import Accounts
internal import PostgreSQL

/// The SQL of the table `session_revocation`.
enum RevocationTable {
    /// Records that the sessions of an account are revoked, and deletes its devices and sessions.
    ///
    /// The last statement of a transaction, because all other revocations wait for its end.
    static func revoke(_ account: AccountID) -> [PostgreSQLStep] {
        [
            lock(account.text), DeviceTable.delete(of: account), SavedSessionTable.delete(of: account),
            SharedSessionTable.delete(of: account),
            insertStatement(.utf8(account.text)),
        ]
    }

    /// Waits for logins and revocations of a user that have not been committed yet. Later ones wait for the end of the transaction.
    /// Without it, a login could miss a revocation that misses the login's session.
    static func lock(_ user: String) -> PostgreSQLStep { lockStatement(.utf8(user)) }

    /// The last revocation of the user's sessions, and the last revocation of all; 0 without one.
    static func selectLast(of user: String) -> PostgreSQLStep { selectLastStatement(.utf8(user)) }

    /// The revocations with greater numbers.
    static func select(after number: Int) -> PostgreSQLStep { selectStatement(.number(number)) }

    /// Reads the revocations of a result.
    static func revocations(_ result: PostgreSQLResult) throws -> [SessionRevocation] {
        try result.map { SessionRevocation(number: try $0.number(0), account: AccountID(try $0.utf8(1))) }
    }

    private static let maximum = SessionRevocation.maximumNumber

    private static let lockStatement = PostgreSQLStatement(
        name: "lock user",
        sql: "SELECT pg_advisory_xact_lock(hashtextextended('understudy user ' || encode($1::bytea, 'hex'), 0))"
    )

    private static let selectLastStatement = PostgreSQLStatement(
        name: "last revocation",
        isReadOnly: true,
        sql: """
            SELECT
                coalesce((SELECT number FROM session_revocation WHERE account_id = $1 AND number <= \(maximum)), 0),
                coalesce((SELECT max(number) FROM session_revocation WHERE number <= \(maximum)), 0)
            """
    )

    private static let insertStatement = PostgreSQLStatement(
        name: "revoke sessions",
        sql: """
            WITH next AS (
                UPDATE session_revocation_counter SET last = 1 + greatest(
                    CASE WHEN last BETWEEN 0 AND \(maximum) THEN last END,
                    (SELECT max(number) FROM session_revocation WHERE number BETWEEN 0 AND \(maximum)),
                    0
                )
                RETURNING last
            )
            INSERT INTO session_revocation (account_id, number) SELECT $1::bytea, last FROM next
            ON CONFLICT (account_id) DO UPDATE SET number = excluded.number
            """
    )

    private static let selectStatement = PostgreSQLStatement(
        name: "session revocations",
        isReadOnly: true,
        sql: """
            SELECT number, account_id FROM session_revocation WHERE number > $1 AND number <= \(maximum) ORDER BY number
            """
    )
}
