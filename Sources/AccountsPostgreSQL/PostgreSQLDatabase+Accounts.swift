public import Accounts
internal import PostgreSQL

extension PostgreSQLDatabase: AccountStore {
    public func add(_ accounts: [Account]) async throws {
        guard !accounts.isEmpty else { return }
        try await write { transaction in
            do {
                try await transaction.batch(accounts.map(AccountTable.insert))
            } catch let error as PostgreSQLError {
                throw AccountConflict(error) ?? error
            }
        }
    }

    public func account(_ id: AccountID) async throws -> Account? {
        try await read(AccountTable.select(id), AccountTable.accounts).first
    }

    public func account(username: AccountKey) async throws -> Account? {
        try await read(AccountTable.select(username: username), AccountTable.accounts).first
    }

    public func account(email: AccountKey) async throws -> Account? {
        try await read(AccountTable.select(email: email), AccountTable.accounts).first
    }

    public func accounts(after username: AccountKey?, limit: Int) async throws -> [Account] {
        try await read(AccountTable.select(after: username, limit: limit), AccountTable.accounts)
    }

    @discardableResult
    public func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        // If `change` throws an error of PostgreSQL, `write` would report it as an outage. Therefore the closure returns the error.
        let result: Result<Account?, any Error> = try await write(repeatingConflicts: false) { transaction in
            let found = try AccountTable.accounts(try await transaction.execute(AccountTable.lock(id)))
            guard let account = found.first else { return .success(nil) }
            let changed: Account
            do { changed = try account.changed(by: change) } catch { return .failure(error) }
            let revocation = revokingSessions ? RevocationTable.revoke(id) : []
            do {
                try await transaction.batch([AccountTable.update(changed)] + revocation)
            } catch let error as PostgreSQLError {
                throw AccountConflict(error) ?? error
            }
            return .success(changed)
        }
        return try result.get()
    }

    public func remove(_ id: AccountID) async throws -> Bool {
        try await write { transaction in
            guard try await transaction.execute(AccountTable.delete(id)).affectedRows > 0 else { return false }
            try await transaction.batch([ThrottleTable.delete(.account(id))] + RevocationTable.revoke(id))
            return true
        }
    }

    /// The latest revocation of each account, if its number is greater than `number`, including those by other servers. Revocations
    /// are committed in the order of their numbers, so you miss none if you pass the number of the last one that you have read. You
    /// may call this ten times a second: without a new revocation, it only searches the end of an index.
    public func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        try await read(RevocationTable.select(after: number), RevocationTable.revocations)
    }
}
