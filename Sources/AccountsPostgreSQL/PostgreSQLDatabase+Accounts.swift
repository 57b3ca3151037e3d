public import Accounts
internal import AccountsDatabase
internal import PostgreSQL
internal import SessionStorage

extension PostgreSQLDatabase: AccountStore {
    public func add(_ accounts: [Account]) async throws {
        guard !accounts.isEmpty else { return }
        if let work = unitOfWork { return try await add(accounts, in: work) }
        try await write { transaction in
            do {
                try await transaction.batch(accounts.map(AccountTable.insert))
            } catch let error as PostgreSQLError {
                throw AccountConflict(error) ?? error
            }
        }
    }

    public func account(_ id: AccountID) async throws -> Account? {
        try await read(AccountTable.select(id)) { try $0.first.map(AccountTable.account) }
    }

    public func account(username: AccountKey) async throws -> Account? {
        try await read(AccountTable.select(username: username)) { try $0.first.map(AccountTable.account) }
    }

    public func account(email: AccountKey) async throws -> Account? {
        try await read(AccountTable.select(email: email)) { try $0.first.map(AccountTable.account) }
    }

    public func accounts(after username: AccountKey?, limit: Int) async throws -> [Account] {
        try await read(AccountTable.select(after: username, limit: limit)) { try $0.map(AccountTable.account) }
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
        // If `change` throws an error of PostgreSQL, `write` would report it as an outage. Therefore the closure returns the error.
        let result: Result<Account?, any Error> = try await write(repeatingConflicts: false) { transaction in
            let found = try await Self.lock(id, revokingSessions: revokingSessions, in: transaction)
            guard let account = found else { return .success(nil) }
            let changed: Account
            do { changed = try account.changed(by: change) } catch { return .failure(error) }
            let revocation = revokingSessions ? RevocationTable.lockAndRevoke(id) : []
            do {
                try await transaction.batch([AccountTable.update(changed)] + revocation)
            } catch let error as PostgreSQLError {
                throw AccountConflict(error) ?? error
            }
            return .success(changed)
        }
        return try result.get()
    }

    /// Reads an account, and locks it until the end of the transaction. If its sessions will be revoked, locks the user first, as a login
    /// does, so that neither waits for the other.
    private static func lock(
        _ id: AccountID,
        revokingSessions: Bool,
        in transaction: WriteTransaction
    ) async throws -> Account? {
        let locks = revokingSessions ? [RevocationTable.lock(id.text)] : []
        let results = try await transaction.batch(locks + [AccountTable.lock(id)])
        return try results.last?.first.map(AccountTable.account)
    }

    public func remove(_ id: AccountID) async throws -> Bool {
        if let work = unitOfWork { return try await remove(id, in: work) }
        return try await write { transaction in
            let results = try await transaction.batch([RevocationTable.lock(id.text), AccountTable.delete(id)])
            guard results[1].affectedRows > 0 else { return false }
            try await transaction.batch([ThrottleTable.delete(.account(id))] + RevocationTable.lockAndRevoke(id))
            return true
        }
    }

    /// The latest revocation of each account, if its number is greater than `number`, including those by other servers. Revocations
    /// are committed in the order of their numbers, so you miss none if you pass the number of the last one that you have read. You
    /// may call this ten times a second: without a new revocation, it only searches the end of an index.
    public func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        try await read(RevocationTable.select(after: number)) { try $0.map(RevocationTable.revocation) }
    }
}

/// Changes that are committed together with the session of the event that makes them. What they depend on is read at once, and again at
/// the commit.
extension PostgreSQLDatabase {
    private func add(_ accounts: [Account], in work: UnitOfWork) async throws {
        for account in accounts { try await requireNoConflict(account, replacing: nil) }
        work.add(PostgreSQLWrite { try await $0.batch(accounts.map(AccountTable.insert)) })
    }

    private func change(
        _ id: AccountID,
        revokingSessions: Bool,
        in work: UnitOfWork,
        _ change: @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        guard let account = try await account(id) else { return nil }
        let changed = try account.changed(by: change)
        try await requireNoConflict(changed, replacing: account)
        work.add(
            PostgreSQLWrite { transaction in
                let found = try await Self.lock(id, revokingSessions: revokingSessions, in: transaction)
                guard found == account else { throw DataHaveChanged() }
                let revocation = revokingSessions ? RevocationTable.lockAndRevoke(id) : []
                try await transaction.batch([AccountTable.update(changed)] + revocation)
            }
        )
        return changed
    }

    private func remove(_ id: AccountID, in work: UnitOfWork) async throws -> Bool {
        guard try await account(id) != nil else { return false }
        work.add(
            PostgreSQLWrite { transaction in
                let results = try await transaction.batch([RevocationTable.lock(id.text), AccountTable.delete(id)])
                guard results[1].affectedRows > 0 else { throw DataHaveChanged() }
                try await transaction.batch([ThrottleTable.delete(.account(id))] + RevocationTable.lockAndRevoke(id))
            }
        )
        return true
    }

    /// - Throws: `AccountConflict` if another account has a unique value of the account.
    private func requireNoConflict(_ account: Account, replacing former: Account?) async throws {
        func isTaken(_ query: SQLStep) async throws -> Bool {
            try await read(query) { try $0.map(AccountTable.account) }.contains { $0.id != former?.id }
        }
        if try await isTaken(AccountTable.select(email: AccountKey(account.email))) { throw AccountConflict.email }
        if former == nil, try await isTaken(AccountTable.select(account.id)) { throw AccountConflict.email }
        if try await isTaken(AccountTable.select(username: AccountKey(account.username))) {
            throw AccountConflict.username
        }
        if let userID = account.userID, try await isTaken(AccountTable.select(userID: userID)) {
            throw AccountConflict.userID
        }
    }
}

extension AccountConflict {
    /// The conflict because of which the server has rejected an account; `nil` for another error.
    init?(_ error: PostgreSQLError) {
        guard case .server(let error) = error, error.sqlState == "23505" else { return nil }
        switch error.constraint {
        case "account_pkey", "account_email": self = .email
        case "account_name": self = .username
        case "account_user_id": self = .userID
        default: return nil
        }
    }
}
