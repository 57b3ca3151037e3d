package import Accounts
package import BusinessLogic
package import SessionStorage

/// Queries that an operator needs and the server does not. They throw a ``/BusinessLogic/CollaboratorError``.
extension SQLDatabase {
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

    /// How large the database is. It looks for a backup in the records of the audit log after `last`: 0 for all records, `nil` for none.
    package func figures(after last: Int?) async throws -> DatabaseFigures {
        try await read(of: .audit) { db in
            let backup = last.map { [AuditTable.selectBackup($0)] } ?? []
            let results = try db.batch([DatabaseFigures.size(), AuditTable.count()] + backup)
            guard let size = results[0].first, let counts = results[1].first else { return DatabaseFigures() }
            return DatabaseFigures(
                size: try size.number(0),
                auditRecords: try counts.number(0),
                lastRecord: try counts.number(1),
                lastBackup: try results.dropFirst(2).first?.first?.time(0)
            )
        }
    }

    /// The accounts and the unknown names for which the most logins have failed since a time, the highest counts first. A key is a
    /// ``/Accounts/ThrottleKey/text``.
    package func mostFailures(since time: Timestamp, limit: Int) async throws -> [(key: String, count: FailureCount)] {
        try await read(ThrottleTable.selectMost(time, limit)) { rows in
            try rows.map { (key: try $0.text(0), count: try ThrottleTable.count($0)) }
        }
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

package struct DatabaseFigures: Sendable {
    /// In bytes.
    package var size = 0
    /// About how many records the audit log has.
    package var auditRecords = 0
    package var lastRecord = 0
    /// When the audit log says that a backup was made; `nil` if it does not.
    package var lastBackup: Timestamp?

    fileprivate static let query = SQLText(
        postgreSQL: "SELECT pg_database_size(current_database())",
        sqlite: "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    )

    fileprivate static let size = SQLStatement("database size", query)
}
