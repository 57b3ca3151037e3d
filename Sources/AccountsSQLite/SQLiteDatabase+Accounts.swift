public import Accounts
internal import GRDB
internal import SessionStorage

extension SQLiteDatabase: AccountStore {
    public func add(_ accounts: [Account]) async throws {
        if let work = unitOfWork { return try await add(accounts, in: work) }
        try await write { db in
            let table = AccountTable(db: db)
            for account in accounts { try table.insert(account) }
        }
    }

    public func account(_ id: AccountID) async throws -> Account? {
        try await read { try AccountTable(db: $0).select("id = CAST(? AS TEXT)", [id.text.bound]).first }
    }

    public func account(username: AccountKey) async throws -> Account? {
        try await read { db in
            try AccountTable(db: db).select("username_key = CAST(? AS TEXT)", [username.text.bound]).first
        }
    }

    public func account(email: AccountKey) async throws -> Account? {
        try await read { try AccountTable(db: $0).select("email_key = CAST(? AS TEXT)", [email.text.bound]).first }
    }

    public func accounts(after username: AccountKey?, limit: Int) async throws -> [Account] {
        // SQLite treats a negative limit as no limit.
        let limit = max(limit, 0)
        return try await read { db in
            let table = AccountTable(db: db)
            guard let username else { return try table.select("TRUE ORDER BY username_key LIMIT ?", [limit]) }
            return try table.select(
                "username_key > CAST(? AS TEXT) ORDER BY username_key LIMIT ?",
                [username.text.bound, limit]
            )
        }
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
            let table = AccountTable(db: db)
            guard let account = try table.select("id = CAST(? AS TEXT)", [id.text.bound]).first else {
                return .success(nil)
            }
            let changed: Account
            do { changed = try account.changed(by: change) } catch { return .failure(error) }
            try table.update(changed)
            if revokingSessions { try table.revokeSessions(id) }
            return .success(changed)
        }
        return try result.get()
    }

    public func remove(_ id: AccountID) async throws -> Bool {
        if let work = unitOfWork { return try await remove(id, in: work) }
        return try await write { db in
            let table = AccountTable(db: db)
            guard try table.delete(id) else { return false }
            try table.revokeSessions(id)
            return true
        }
    }

    /// The latest revocation of each account, if its number is greater than `number`, including those by other processes. You
    /// may call this ten times a second: without a new revocation, it only searches the end of a table.
    public func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT number, CAST(account_id AS BLOB) FROM session_ending
                    WHERE number > ? AND number <= ? ORDER BY number
                    """
            )
            let numbers: StatementArguments = [number, SessionRevocation.maximumNumber]
            return try Row.fetchAll(statement, arguments: numbers).map { row in
                SessionRevocation(number: Int(try row.number(0)), account: AccountID(try row.text(1)))
            }
        }
    }
}

/// Changes that are committed together with the session of the event that makes them. What they depend on is read at once, and again at
/// the commit.
extension SQLiteDatabase {
    private func add(_ accounts: [Account], in work: UnitOfWork) async throws {
        try await read { db in
            let table = AccountTable(db: db)
            for account in accounts {
                if let conflict = try table.conflict(of: account, replacing: nil) { throw conflict }
            }
        }
        work.add(
            SQLiteWrite { db in
                let table = AccountTable(db: db)
                for account in accounts { try table.insert(account) }
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
        if let conflict = try await read({ try AccountTable(db: $0).conflict(of: changed, replacing: id) }) {
            throw conflict
        }
        work.add(
            SQLiteWrite { db in
                let table = AccountTable(db: db)
                guard try table.select("id = CAST(? AS TEXT)", [id.text.bound]).first == account else {
                    throw DataHaveChanged()
                }
                try table.update(changed)
                if revokingSessions { try table.revokeSessions(id) }
            }
        )
        return changed
    }

    private func remove(_ id: AccountID, in work: UnitOfWork) async throws -> Bool {
        guard try await account(id) != nil else { return false }
        work.add(
            SQLiteWrite { db in
                let table = AccountTable(db: db)
                guard try table.delete(id) else { throw DataHaveChanged() }
                try table.revokeSessions(id)
            }
        )
        return true
    }
}
