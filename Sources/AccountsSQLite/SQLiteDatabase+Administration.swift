public import Accounts
internal import GRDB

/// What an operator looks at, beyond what the server needs.
extension SQLiteDatabase {
    /// The account of that user ID.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
    public func account(userID: String) async throws -> Account? {
        try await read { try AccountTable(db: $0).select("user_id = CAST(? AS TEXT)", [userID.bound]).first }
    }

    /// The failed logins of some accounts, those without any left out. Unlike `update`, it only reads.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
    public func failureCounts(of accounts: [AccountID]) async throws -> [AccountID: FailureCount] {
        try await read { db in
            let table = ThrottleTable(db: db)
            var counts: [AccountID: FailureCount] = [:]
            for account in accounts {
                let count = try table.select(.account(account))
                if count != FailureCount() { counts[account] = count }
            }
            return counts
        }
    }
}
