package import Accounts
internal import BusinessLogic
internal import SessionStorage
internal import SQLStatements

/// The store of accounts.
///
/// During an event whose changes are committed together, its methods defer them to the commit. What the changes depend on is read at once,
/// and again at the commit.
extension SQLDatabase {
    public func add(_ accounts: [Account]) async throws {
        guard !accounts.isEmpty else { return }
        guard let work = unitOfWork else { return try await write(try Self.adding(accounts[...])) }
        for account in accounts {
            // As a change does, so that the time of a sign-up does not tell whether it changes an account.
            _ = try await self.account(account.id)
            try await read(of: .accounts, Self.requiringNoConflict(of: account, replacing: nil))
        }
        work.add(try Self.adding(accounts[...]))
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
            let result: Result<Account?, any Error> = try await write(
                isRepeatable: false,
                Self.changing(id, revokingSessions: revokingSessions) { account in
                    Result { try account?.changed(by: change) }
                }
            )
            return try result.get()
        }
        guard let account = try await account(id) else { return nil }
        let changed = try account.changed(by: change)
        try await read(of: .accounts, Self.requiringNoConflict(of: changed, replacing: id))
        work.add(
            Self.changing(id, revokingSessions: revokingSessions) { found in
                guard found == account else { throw DataHaveChanged() }
                return .success(changed)
            }.then { _ in .finished(()) }
        )
        return changed
    }

    public func remove(_ id: AccountID) async throws -> Bool {
        guard let work = unitOfWork else { return try await write(Self.removing(id)) }
        guard try await account(id) != nil else { return false }
        work.add(Self.removing(id).requiringData())
        return true
    }

    /// The latest revocation of each account, if its number is greater than `number`, including those by other processes. Revocations
    /// are committed in the order of their numbers, so you miss none if you pass the number of the last one that you have read. You
    /// may call this ten times a second: without a new revocation, it only searches the end of an index.
    public func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        try await read(RevocationTable.select(after: number)) { try $0.map(RevocationTable.revocation) }
    }

    private static func adding(_ accounts: ArraySlice<Account>) throws -> SQLTransaction<Rows, Void> {
        if reportsConflicts { return .execute(try accounts.flatMap(AccountTable.insert)) }
        guard let account = accounts.first else { return .finished(()) }
        return requiringNoConflict(of: account, replacing: nil)
            .then { .execute(try AccountTable.insert(account)) }
            .then { try adding(accounts.dropFirst()) }
    }

    /// Stores what `change` returns for the account that it receives.
    private static func changing(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @escaping @Sendable (Account?) throws -> Result<Account?, any Error>
    ) -> SQLTransaction<Rows, Result<Account?, any Error>> {
        // Locks the user first, as a login does, so that neither waits for the other.
        let locks = revokingSessions ? [RevocationTable.lock(id.text)] : []
        return .batch(locks + [AccountTable.lock(id)]) { results in
            let found = try results.last?.first.map(AccountTable.account)
            let result = try change(found)
            guard let found, case .success(let changed?) = result else { return .finished(result) }
            let update = try AccountTable.update(found, to: changed)
            let revocation = revokingSessions ? RevocationTable.revoke(id) : []
            let check: SQLTransaction<Rows, Void> =
                reportsConflicts ? .finished(()) : requiringNoConflict(of: changed, replacing: id)
            return check.then { .batch(update + revocation) { _ in .finished(result) } }
        }
    }

    /// Deletes an account and the counts of its failed logins and codes, and revokes its sessions. Returns `false` if there is no such account.
    private static func removing(_ id: AccountID) -> SQLTransaction<Rows, Bool> {
        .batch([RevocationTable.lock(id.text), AccountTable.lock(id)]) { results in
            guard results[1].first != nil else { return .finished(false) }
            let counts = ThrottleKey.all(of: id).map(ThrottleTable.delete)
            return .batch([AccountTable.delete(id)] + counts + RevocationTable.revoke(id)) { _ in .finished(true) }
        }
    }

    /// Throws an `AccountConflict` if another account than the one with that ID has a unique value of the account.
    private static func requiringNoConflict(
        of account: Account,
        replacing id: AccountID?
    ) -> SQLTransaction<Rows, Void> {
        let properties = AccountConflict.properties(of: account)
        return .batch(properties.map(AccountTable.select)) { results in
            for (property, rows) in zip(properties, results)
            where try rows.contains(where: { try AccountTable.account($0).id != id }) {
                throw property.conflict
            }
            return .finished(())
        }
    }
}

extension SQLTransaction where Value == Bool {
    /// Makes the commit of an event fail if the transaction has found other data than the event has read.
    func requiringData() -> SQLTransaction<Rows, Void> {
        then { isDone in
            guard isDone else { throw DataHaveChanged() }
            return .finished(())
        }
    }
}
