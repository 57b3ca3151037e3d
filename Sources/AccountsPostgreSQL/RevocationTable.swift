internal import Accounts
internal import PostgreSQL

/// The SQL of the table `session_revocation`.
enum RevocationTable {
    /// Records that the sessions of an account are revoked, and deletes its devices and saved sessions.
    ///
    /// The last statement of a transaction, because all other revocations wait for its end.
    static func revoke(_ account: AccountID) -> [PostgreSQLStep] {
        [
            DeviceTable.delete(of: account), SavedSessionTable.delete(of: account),
            insertStatement(.utf8(account.text)),
        ]
    }

    /// The revocations with greater numbers.
    static func select(after number: Int) -> PostgreSQLStep { selectStatement(.number(number)) }

    /// Reads the revocations of a result.
    static func revocations(_ result: PostgreSQLResult) throws -> [SessionRevocation] {
        try result.map { SessionRevocation(number: try $0.number(0), account: AccountID(try $0.utf8(1))) }
    }

    private static let insertStatement = PostgreSQLStatement(
        name: "revoke sessions",
        sql: """
            WITH next AS (UPDATE session_revocation_counter SET last = last + 1 RETURNING last)
            INSERT INTO session_revocation (account_id, number) SELECT $1::bytea, last FROM next
            ON CONFLICT (account_id) DO UPDATE SET number = excluded.number
            """
    )

    private static let selectStatement = PostgreSQLStatement(
        name: "session revocations",
        isReadOnly: true,
        sql: "SELECT number, account_id FROM session_revocation WHERE number > $1 ORDER BY number"
    )
}
