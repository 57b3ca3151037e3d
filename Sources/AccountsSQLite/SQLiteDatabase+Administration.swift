package import Accounts
internal import AccountsDatabase
internal import GRDB
package import SessionStorage

/// Queries that an operator needs and the server does not.
extension SQLiteDatabase {
    /// The account with that user ID, or `nil`.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func account(userID: String) async throws -> Account? {
        try await read { try $0.run(AccountTable.select(userID: userID)).first.map(AccountTable.account) }
    }

    /// An account's devices.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func devices(of account: AccountID) async throws -> [Device] {
        try await read { try $0.run(DeviceTable.select(of: account)).map(DeviceTable.device) }
    }

    /// An account's saved sessions, which stay saved.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func savedSessions(of account: AccountID) async throws -> [StoredSession] {
        try await read { try $0.run(SavedSessionTable.select(of: account)).map(SavedSessionTable.session) }
    }

    /// An account's sessions that servers share.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func sharedSessions(of account: AccountID) async throws -> [SharedSession] {
        try await read { try $0.sessions(of: account) }
    }

    /// The failed logins of those accounts that have any. Unlike `update`, this only reads.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func failureCounts(of accounts: [AccountID]) async throws -> [AccountID: FailureCount] {
        try await read { db in
            var counts: [AccountID: FailureCount] = [:]
            for account in accounts {
                let count = try ThrottleTable.count(db.run(ThrottleTable.select(.account(account))).first)
                if count != FailureCount() { counts[account] = count }
            }
            return counts
        }
    }
}
