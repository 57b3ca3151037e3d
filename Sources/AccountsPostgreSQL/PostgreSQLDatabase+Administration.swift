package import Accounts
internal import AccountsDatabase
internal import PostgreSQL
package import SessionStorage

/// Queries that an operator needs and the server does not.
extension PostgreSQLDatabase {
    /// The account with that user ID, or `nil`.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    package func account(userID: String) async throws -> Account? {
        try await read(AccountTable.select(userID: userID)) { try $0.first.map(AccountTable.account) }
    }

    /// An account's devices.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    package func devices(of account: AccountID) async throws -> [Device] {
        try await read(DeviceTable.select(of: account)) { try $0.map(DeviceTable.device) }
    }

    /// An account's saved sessions, which stay saved.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    package func savedSessions(of account: AccountID) async throws -> [StoredSession] {
        try await read(SavedSessionTable.select(of: account)) { try $0.map(SavedSessionTable.session) }
    }

    /// An account's sessions that servers share.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    package func sharedSessions(of account: AccountID) async throws -> [SharedSession] {
        let ids = try await read(SharedSessionTable.ids(of: account)) { try $0.map { try $0.bytes(0) } }
        var sessions: [SharedSession] = []
        for id in ids {
            let lookup = try await read(SharedSessionTable.find(id, unlessVersion: 0)) {
                try SharedSessionTable.lookup($0, id, unlessVersion: 0)
            }
            if case .found(let session) = lookup { sessions.append(session) }
        }
        return sessions
    }

    /// The failed logins of those accounts that have any. Unlike `update`, this only reads.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    package func failureCounts(of accounts: [AccountID]) async throws -> [AccountID: FailureCount] {
        let queries = accounts.map { ThrottleTable.select(.account($0)).postgreSQL }
        let results = try await reportingErrors {
            try await pool.batch(queries).map { try ThrottleTable.count($0.first) }
        }
        var counts: [AccountID: FailureCount] = [:]
        for (account, count) in zip(accounts, results) where count != FailureCount() { counts[account] = count }
        return counts
    }
}
