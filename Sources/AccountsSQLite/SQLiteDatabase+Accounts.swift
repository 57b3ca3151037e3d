public import Accounts
internal import AccountsDatabase
internal import GRDB
internal import SessionStorage

extension SQLiteDatabase: AccountStore {
    public func add(_ accounts: [Account]) async throws {
        if let work = unitOfWork { return try await add(accounts, in: work) }
        try await write { db in
            for account in accounts { try db.insert(account) }
        }
    }

    public func account(_ id: AccountID) async throws -> Account? {
        try await read { try $0.account(id) }
    }

    public func account(username: AccountKey) async throws -> Account? {
        try await read { try $0.run(AccountTable.select(username: username)).first.map(AccountTable.account) }
    }

    public func account(email: AccountKey) async throws -> Account? {
        try await read { try $0.run(AccountTable.select(email: email)).first.map(AccountTable.account) }
    }

    public func accounts(after username: AccountKey?, limit: Int) async throws -> [Account] {
        try await read { try $0.run(AccountTable.select(after: username, limit: limit)).map(AccountTable.account) }
    }

    @discardableResult
    public func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        if let work = unitOfWork {
            return try await self.change(id, revokingSessions: revokingSessions, in: work, change)
        }
        // If `change` throws an error of GRDB, `write` would report it as an outage. Therefore the closure returns the error.
        let result: Result<Account?, any Error> = try await write { db in
            guard let account = try db.account(id) else { return .success(nil) }
            let changed: Account
            do { changed = try account.changed(by: change) } catch { return .failure(error) }
            try db.update(changed)
            if revokingSessions { try db.run(RevocationTable.revoke(id)) }
            return .success(changed)
        }
        return try result.get()
    }

    public func remove(_ id: AccountID) async throws -> Bool {
        if let work = unitOfWork { return try await remove(id, in: work) }
        return try await write { try $0.delete(id) }
    }

    /// The latest revocation of each account, if its number is greater than `number`, including those by other processes. You
    /// may call this ten times a second: without a new revocation, it only searches the end of a table.
    public func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        try await read { try $0.run(RevocationTable.select(after: number)).map(RevocationTable.revocation) }
    }
}

/// Changes that are committed together with the session of the event that makes them. What they depend on is read at once, and again at
/// the commit.
extension SQLiteDatabase {
    private func add(_ accounts: [Account], in work: UnitOfWork) async throws {
        try await read { db in
            for account in accounts {
                if let conflict = try db.conflict(of: account, replacing: nil) { throw conflict }
            }
        }
        work.add(
            SQLiteWrite { db in
                for account in accounts { try db.insert(account) }
            }
        )
    }

    private func change(
        _ id: AccountID,
        revokingSessions: Bool,
        in work: UnitOfWork,
        _ change: @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        guard let account = try await account(id) else { return nil }
        let changed = try account.changed(by: change)
        if let conflict = try await read({ try $0.conflict(of: changed, replacing: id) }) {
            throw conflict
        }
        work.add(
            SQLiteWrite { db in
                guard try db.account(id) == account else { throw DataHaveChanged() }
                try db.update(changed)
                if revokingSessions { try db.run(RevocationTable.revoke(id)) }
            }
        )
        return changed
    }

    private func remove(_ id: AccountID, in work: UnitOfWork) async throws -> Bool {
        guard try await account(id) != nil else { return false }
        work.add(SQLiteWrite { if try !$0.delete(id) { throw DataHaveChanged() } })
        return true
    }
}
