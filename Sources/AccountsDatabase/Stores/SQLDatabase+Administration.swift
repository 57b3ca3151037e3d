package import Accounts
internal import BusinessLogic
package import SessionStorage

/// Queries that an operator needs and the server does not. They throw a ``/BusinessLogic/CollaboratorError``.
extension SQLDatabase {
    /// The account with that user ID, or `nil`.
    package func account(userID: String) async throws -> Account? {
        try await read(AccountTable.selectByUserID(userID)) { try $0.first.map(AccountTable.account) }
    }

    /// One page of the accounts of which the username, the email address or the ID contains a text, in any case, in the order of the keys of their
    /// usernames.
    package func accounts(matching text: String, after key: [UInt8]?, limit: Int) async throws -> [Account] {
        try await read(AccountTable.select(matching: text, after: key, limit: limit)) {
            try $0.map(AccountTable.account)
        }
    }

    /// An account's devices.
    public func devices(of account: AccountID) async throws -> [Device] {
        try await read(DeviceTable.selectOfAccount(account)) { try $0.map(DeviceTable.device) }
    }

    /// An account's sessions, which stay stored.
    package func storedSessions(of account: AccountID) async throws -> [StoredSession] {
        try await read(SessionTable.selectOfAccount(account), SessionTable.sessions)
    }

    /// One page of the sessions, in the order of their numbers.
    package func listedSessions(after number: Int, limit: Int) async throws -> [ListedSession] {
        try await read(SessionTable.list(number, limit)) { try $0.map(SessionTable.listed) }
    }

    /// The failed logins of those accounts that have any. Unlike `update`, this only reads.
    package func failureCounts(of accounts: [AccountID]) async throws -> [AccountID: FailureCount] {
        try await read(of: .accounts) { db in
            let results = try db.batch(accounts.map { ThrottleTable.select(ThrottleKey.account($0)) })
            let counts = try results.map { try ThrottleTable.count($0.first) }
            return Dictionary(uniqueKeysWithValues: zip(accounts, counts).filter { $1 != FailureCount() })
        }
    }
}
