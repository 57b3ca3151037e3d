package import Accounts
internal import GRDB
package import SessionStorage

/// Queries that an operator needs and the server does not.
extension SQLiteDatabase {
    /// The account with that user ID, or `nil`.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func account(userID: String) async throws -> Account? {
        try await read { try AccountTable(db: $0).select("user_id = CAST(? AS TEXT)", [userID.bound]).first }
    }

    /// An account's devices.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func devices(of account: AccountID) async throws -> [Device] {
        try await read { try DeviceTable(db: $0).select(of: account) }
    }

    /// An account's saved sessions, which stay saved.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func savedSessions(of account: AccountID) async throws -> [StoredSession] {
        try await read { try SavedSessionTable(db: $0).select(of: account) }
    }

    /// An account's sessions that servers share.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func sharedSessions(of account: AccountID) async throws -> [SharedSession] {
        try await read { try SharedSessionTable(db: $0).select(of: account) }
    }

    /// The failed logins of those accounts that have any. Unlike `update`, this only reads.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func failureCounts(of accounts: [AccountID]) async throws -> [AccountID: FailureCount] {
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
