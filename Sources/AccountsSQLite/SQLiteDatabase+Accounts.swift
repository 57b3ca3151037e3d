public import Accounts
internal import GRDB

extension SQLiteDatabase: AccountStore {
    /// Adds accounts, all or none.
    ///
    /// - Throws: ``/Accounts/AccountConflict``; an id that is taken counts as an email address that is.
    ///   ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
    public func add(_ accounts: [Account]) async throws {
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
        // To SQLite, a limit below 0 is none.
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
        // What `change` throws goes around `write`, which would take an error of GRDB's for one of this database.
        let result: Result<Account?, any Error> = try await write { db in
            let table = AccountTable(db: db)
            guard let account = try table.select("id = CAST(? AS TEXT)", [id.text.bound]).first else {
                return .success(nil)
            }
            let changed: Account
            do { changed = try account.changed(by: change) } catch { return .failure(error) }
            try table.update(changed)
            if revokingSessions { try table.endSessions(id) }
            return .success(changed)
        }
        return try result.get()
    }

    public func remove(_ id: AccountID) async throws -> Bool {
        try await write { db in
            let table = AccountTable(db: db)
            guard try table.delete(id) else { return false }
            try table.endSessions(id)
            return true
        }
    }

    /// The accounts whose sessions have been ended since the ending of that number, also those of other processes. It is
    /// cheap where there is none: to be asked ten times a second.
    public func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT number, CAST(account_id AS BLOB) FROM session_ending WHERE number > ? ORDER BY number"
            )
            return try Row.fetchAll(statement, arguments: [number]).map { row in
                SessionRevocation(number: Int(try row.number(0)), account: AccountID(try row.text(1)))
            }
        }
    }
}
