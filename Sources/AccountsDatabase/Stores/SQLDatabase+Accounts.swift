package import Accounts
import BusinessLogic
import SessionStorage

/// The store of accounts.
///
/// During an event whose changes are committed together, its methods defer them to the commit. What the changes depend on is read at once,
/// and again at the commit.
extension SQLDatabase {
    public func add(_ accounts: [Account]) async throws {
        guard !accounts.isEmpty else { return }
        let write: @Sendable (any SQLConnection) throws -> Void = { try Self.add(accounts, $0) }
        guard let work = unitOfWork else { return try await self.write(write) }
        for account in accounts {
            // As a change does, so that the time of a sign-up does not tell whether it changes an account.
            _ = try await self.account(account.id)
            try await read(of: .accounts) { try Self.requireNoConflict(of: account, replacing: nil, $0) }
        }
        work.add(write)
    }

    public func account(_ id: AccountID) async throws -> Account? {
        try await read(AccountTable.selectByID(id)) { try $0.first.map(AccountTable.account) }
    }

    public func account(username: AccountKey) async throws -> Account? {
        try await read(AccountTable.selectByUsername(username)) { try $0.first.map(AccountTable.account) }
    }

    public func account(email: AccountKey) async throws -> Account? {
        try await read(AccountTable.selectByEmail(email)) { try $0.first.map(AccountTable.account) }
    }

    public func accounts(after key: [UInt8]?, limit: Int) async throws -> [Account] {
        try await read(AccountTable.select(after: key, limit: limit)) { try $0.map(AccountTable.account) }
    }

    @discardableResult
    public func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        guard let work = unitOfWork else {
            // If `change` throws an error of the database, `write` would report it as an outage. Therefore the transaction returns the error.
            return try await write(mode: .once) { db in
                try Self.change(id, revokingSessions: revokingSessions, db) { account in
                    Result { try account?.changed(by: change) }
                }
            }.get()
        }
        guard let account = try await account(id) else { return nil }
        let changed = try account.changed(by: change)
        try await read(of: .accounts) { try Self.requireNoConflict(of: changed, replacing: id, $0) }
        work.add { db in
            _ = try Self.change(id, revokingSessions: revokingSessions, db) { found in
                guard found == account else { throw DataHaveChanged() }
                return .success(changed)
            }
        }
        return changed
    }

    public func remove(_ id: AccountID) async throws -> Bool {
        guard let work = unitOfWork else { return try await write { try Self.remove(id, $0) } }
        guard try await account(id) != nil else { return false }
        work.add { guard try Self.remove(id, $0) else { throw DataHaveChanged() } }
        return true
    }

    /// The latest revocation of each account, if its number is greater than `number`, including those by other processes. Revocations
    /// are committed in the order of their numbers, so you miss none if you pass the number of the last one that you have read. You
    /// may call this ten times a second: without a new revocation, it only searches the end of an index.
    public func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        try await read(RevocationTable.select(number)) { try $0.map(RevocationTable.revocation) }
    }

    private static func add(_ accounts: [Account], _ db: any SQLConnection) throws {
        if reportsConflicts {
            try db.batch(try accounts.flatMap(AccountTable.insert))
            return
        }
        for account in accounts {
            try requireNoConflict(of: account, replacing: nil, db)
            try db.batch(try AccountTable.insert(account))
        }
    }

    /// Stores what `change` returns for the account that it receives, and returns it.
    private static func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ db: any SQLConnection,
        _ change: (Account?) throws -> Result<Account?, any Error>
    ) throws -> Result<Account?, any Error> {
        // Locks the user first, as a login does, so that neither waits for the other.
        let locks = revokingSessions ? [RevocationTable.lock(id.text)] : []
        let found = try db.batch(locks + [AccountTable.lock(id)]).last?.first.map(AccountTable.account)
        let result = try change(found)
        guard let found, case .success(let changed?) = result else { return result }
        if !reportsConflicts { try requireNoConflict(of: changed, replacing: id, db) }
        let revocation = revokingSessions ? RevocationTable.revoke(id) : []
        try db.batch(try AccountTable.update(found, to: changed) + revocation)
        return result
    }

    /// Deletes an account and the counts of its failed logins and codes, and revokes its sessions. Returns `false` if there is no such account.
    private static func remove(_ id: AccountID, _ db: any SQLConnection) throws -> Bool {
        let results = try db.batch([RevocationTable.lock(id.text), AccountTable.lock(id)])
        guard results[1].first != nil else { return false }
        let counts = ThrottleKey.all(of: id).map { ThrottleTable.delete($0) }
        try db.batch([AccountTable.delete(id)] + counts + RevocationTable.revoke(id))
        return true
    }

    /// Throws an `AccountConflict` if another account than the one with that ID has a unique value of the account.
    private static func requireNoConflict(
        of account: Account,
        replacing id: AccountID?,
        _ db: any SQLConnection
    ) throws {
        let values = AccountTable.uniqueValues(of: account)
        for (value, rows) in zip(values, try db.batch(values.map(\.select)))
        where try rows.contains(where: { try AccountTable.account($0).id != id }) {
            throw value.conflict
        }
    }
}
