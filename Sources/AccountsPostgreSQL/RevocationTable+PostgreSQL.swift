internal import Accounts
internal import AccountsDatabase

extension RevocationTable {
    /// Waits for logins and revocations of a user that have not been committed yet. Later ones wait for the end of the transaction.
    /// Without it, a login could miss a revocation that misses the login's session.
    static func lock(_ user: String) -> SQLStep { lockStatement(.utf8(user)) }

    static func lockAndRevoke(_ account: AccountID) -> [SQLStep] { [lock(account.text)] + revoke(account) }

    private static let lockStatement = SQLStatement(
        "lock user",
        postgreSQL: "SELECT pg_advisory_xact_lock(hashtextextended('understudy user ' || encode($1::bytea, 'hex'), 0))"
    )
}
