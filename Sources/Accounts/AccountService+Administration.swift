/// Methods for an operator. No limit applies to them. Each change is recorded in the audit log, without an address.
extension AccountService {
    /// Adds all of the accounts, or none.
    ///
    /// - Throws: ``AccountConflict`` if another account has the same email address, username or user ID;
    ///   ``AccountTextTooLong``; ``/BusinessLogic/CollaboratorError``.
    public func add(_ added: [Account]) async throws {
        for account in added { try AccountLimits.check(account) }
        try await accounts.add(added)
        for account in added { record(.accountAdded, account.id) }
    }

    /// Disables an account and revokes its sessions, or enables it again.
    ///
    /// - Returns: `false` if nothing has changed, or if there is no such account.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func setDisabled(_ isDisabled: Bool, _ id: AccountID) async throws -> Bool {
        let changed = try await accounts.changeIfPossible(id, revokingSessions: isDisabled) { account in
            guard account.isDisabled != isDisabled else { throw NothingToChange() }
            account.isDisabled = isDisabled
        }
        guard changed != nil else { return false }
        record(.accountChanged, id, reason: isDisabled ? "disabled" : "enabled")
        return true
    }

    /// Resets the counts of an account's failed logins and second factors, so that its user can log in without a delay.
    ///
    /// - Returns: `false` if the counts were empty.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func unlock(_ id: AccountID) async throws -> Bool {
        var hasChanged = false
        for key in ThrottleKey.logins(of: id) {
            let isReset = try await throttles.update(key) { count in
                defer { count = FailureCount() }
                return count != FailureCount()
            }
            hasChanged = hasChanged || isReset
        }
        if hasChanged { record(.accountChanged, id, reason: "unlocked") }
        return hasChanged
    }

    /// Changes the password of an account and revokes its sessions.
    ///
    /// - Parameters:
    ///   - password: a password that your policy accepts.
    ///   - id: the account.
    /// - Returns: `false` if there is no such account.
    /// - Throws: ``AccountTextTooLong``; ``/BusinessLogic/CollaboratorError``.
    public func setPassword(_ password: String, of id: AccountID) async throws -> Bool {
        let hash = try await hash(password)
        let account = try await accounts.change(id, revokingSessions: true) { $0.passwordHash = hash }
        guard account != nil else { return false }
        record(.accountChanged, id, reason: "password")
        return true
    }

    /// Deletes an account and revokes its sessions.
    ///
    /// - Returns: `false` if there is no such account.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func delete(_ id: AccountID) async throws -> Bool {
        guard try await accounts.remove(id) else { return false }
        record(.accountDeleted, id)
        return true
    }

    /// The hash of a password, for an account that you add.
    ///
    /// - Throws: ``AccountTextTooLong``; ``/BusinessLogic/CollaboratorError``.
    public func hash(_ password: String) async throws -> String {
        try AccountLimits.check(password: password)
        return try await hasher.hash(password)
    }

    /// The number of passwords that are hashed at the same time.
    package var workers: Int { hasher.workers }
}

/// The error that ends a change early, because the account already has the value, or has changed meanwhile.
struct NothingToChange: Error {}

extension AccountStore {
    /// Changes an account, as `change` does; returns `nil` also if `change` throws ``NothingToChange``.
    func changeIfPossible(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        do {
            return try await self.change(id, revokingSessions: revokingSessions, change)
        } catch is NothingToChange {
            return nil
        }
    }
}

extension Account {
    /// The cost of the password's hash: `argon2id m=19456,t=2`, or the function of an imported one: `imported bcrypt`. `nil` if the hash cannot be verified, so that logins fail.
    package var passwordParameters: String? {
        if let hash = Argon2idString(passwordHash) { return "argon2id m=\(hash.cost.memory),t=\(hash.cost.iterations)" }
        return (try? ImportedHash(passwordHash)).map { "imported \($0.name)" }
    }
}
