internal import Accounts
internal import AccountsDatabase
internal import GRDB

extension Database {
    func account(_ id: AccountID) throws -> Account? {
        try run(AccountTable.select(id)).first.map(AccountTable.account)
    }

    /// - Throws: `AccountConflict`.
    func insert(_ account: Account) throws {
        try reportingConflicts(of: account, replacing: nil) { try run(AccountTable.insert(account)) }
    }

    /// - Throws: `AccountConflict`.
    func update(_ account: Account) throws {
        try reportingConflicts(of: account, replacing: account.id) { try run(AccountTable.update(account)) }
    }

    /// Deletes an account and its failed logins, and revokes its sessions.
    ///
    /// - Returns: `false` if there is no such account.
    func delete(_ id: AccountID) throws -> Bool {
        try run(AccountTable.delete(id))
        guard changesCount > 0 else { return false }
        try run([ThrottleTable.delete(.account(id))] + RevocationTable.revoke(id))
        return true
    }

    /// Whether the account exists and is not disabled.
    func isEnabled(_ id: AccountID) throws -> Bool {
        try account(id).map { !$0.isDisabled } ?? false
    }

    /// Stores the keys of all accounts again, because an earlier version computed other keys.
    ///
    /// - Throws: `SQLiteDatabaseError.sameName` if two accounts would have the same key.
    func updateKeys() throws {
        var last: AccountID?
        while true {
            let accounts = try run(AccountTable.select(afterID: last, limit: 1_000)).map(AccountTable.account)
            guard let end = accounts.last else { return }
            for account in accounts where AccountTable.hasChangedKeys(account) {
                do {
                    try update(account)
                } catch is AccountConflict {
                    throw SQLiteDatabaseError.sameName(account: account.id)
                }
            }
            last = end.id
        }
    }

    /// The conflict of an account with others in the table.
    func conflict(of account: Account, replacing id: AccountID?) throws -> AccountConflict? {
        try AccountConflict.of(account) { property in
            try run(AccountTable.select(property)).map(AccountTable.account).contains { $0.id != id }
        }
    }

    private func reportingConflicts(of account: Account, replacing id: AccountID?, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw try conflict(of: account, replacing: id) ?? error
        }
    }
}
