import BusinessLogic

/// Methods for an operator. No limit applies to them. Each change is recorded in the audit log, without an address.
extension AccountService {
    /// Adds all of the accounts, or none.
    ///
    /// - Throws: ``AccountConflict`` if another account has the same email address, username or user ID;
    ///   ``AccountTextError``; ``RoleError``; ``/BusinessLogic/CollaboratorError``.
    public func add(_ added: [Account]) async throws {
        for account in added {
            try account.checkTexts()
            try Role.check(account.roles)
        }
        try await store.add(added)
        for account in added { await record(.accountAdded, account.id) }
    }

    /// Disables an account and revokes its sessions, or enables it again.
    ///
    /// - Returns: `false` if nothing has changed, or if there is no such account.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func setDisabled(_ isDisabled: Bool, _ id: AccountID) async throws -> Bool {
        try await change(id, { _ in isDisabled ? "disabled" : "enabled" }, revokingSessions: isDisabled) {
            $0.isDisabled = isDisabled
        }
    }

    /// Resets the counts of an account's failed logins and second factors, so that its user can log in without a delay.
    ///
    /// - Returns: `false` if the counts were empty.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func unlock(_ id: AccountID) async throws -> Bool {
        var hasChanged = false
        for key in ThrottleKey.logins(of: id) {
            let former = try await store.update(key) { exchange(&$0, with: FailureCount()) }
            hasChanged = hasChanged || former != FailureCount()
        }
        if hasChanged { await record(.accountChanged, id, reason: "unlocked") }
        return hasChanged
    }

    /// Changes the password of an account and revokes its sessions.
    ///
    /// - Parameters:
    ///   - password: a password that your policy accepts.
    ///   - id: the account.
    /// - Returns: `false` if there is no such account.
    /// - Throws: ``AccountTextError``; ``/BusinessLogic/CollaboratorError``.
    public func setPassword(_ password: String, of id: AccountID) async throws -> Bool {
        let hash = try await hash(password)
        return try await change(id, .password, revokingSessions: true) { $0.passwordHash = hash } != nil
    }

    /// Changes the name with which the user logs in, and revokes the account's sessions, which contain the name.
    ///
    /// - Returns: `false` if nothing has changed, or if there is no such account.
    /// - Throws: ``AccountConflict`` if the name is the username, the email address or the ID of another account; ``AccountTextError``;
    ///   ``/BusinessLogic/CollaboratorError``.
    public func rename(_ id: AccountID, to username: String) async throws -> Bool {
        try AccountText.username.check(username)
        // Otherwise, a command that names the other account would find this one.
        if let other = try await store.account(named: username), other.id != id { throw AccountConflict.username }
        return try await change(id, { _ in "username" }, revokingSessions: true) { $0.username = username }
    }

    /// Changes the email address of an account, revokes its sessions, and informs the owner at the former address. A username that is the
    /// former address changes as well.
    ///
    /// The new address is not confirmed. Codes that were sent to the former address no longer work.
    ///
    /// - Returns: `false` if nothing has changed, or if there is no such account.
    /// - Throws: ``AccountConflict`` if another account has the address, or the username; ``AccountTextError``;
    ///   ``/BusinessLogic/CollaboratorError``.
    public func setEmail(_ email: String, of id: AccountID) async throws -> Bool {
        try AccountText.email.check(email)
        let former = try await store.account(id)
        let isChanged = try await change(id, { _ in "email" }, revokingSessions: true) { account in
            guard !account.email.utf8.elementsEqual(email.utf8) else { return }
            if AccountKey(account.username) == AccountKey(account.email) { account.username = email }
            account.email = email
            account.emailConfirmed = nil
        }
        if isChanged, let former, AccountKey(former.email) != AccountKey(email) {
            try await inform(former, .addressChanged, ClientContext())
        }
        return isChanged
    }

    /// Notes something about an account for support, in place of what was noted before; `nil` removes it.
    ///
    /// - Returns: `false` if nothing has changed, or if there is no such account.
    /// - Throws: ``AccountTextError``; ``/BusinessLogic/CollaboratorError``.
    public func setNote(_ note: String?, of id: AccountID) async throws -> Bool {
        if let note { try AccountText.note.check(note) }
        return try await change(id, { _ in "note" }, revokingSessions: false) { $0.note = note }
    }

    /// Adds and removes roles of an account, and revokes its sessions, so that its user has no role any more that was removed.
    ///
    /// - Returns: `false` if nothing has changed, or if there is no such account.
    /// - Throws: ``RoleError``; ``/BusinessLogic/CollaboratorError``.
    public func changeRoles(
        of id: AccountID,
        adding added: [String] = [],
        removing removed: [String] = []
    ) async throws -> Bool {
        try Role.check(added)
        return try await change(id, { "roles=" + $0.roles.joined(separator: ",") }, revokingSessions: true) { account in
            let roles = Role.sorted(account.roles.filter { !removed.contains($0) } + added)
            try Role.check(roles)
            account.roles = roles
            account.rolesAreDamaged = false
        }
    }

    /// Revokes the sessions of an account and forgets its devices, so that its user must log in again on all of them.
    ///
    /// - Returns: `false` if there is no such account.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func endSessions(of id: AccountID) async throws -> Bool {
        try await change(id, .sessionsEnded, revokingSessions: true) { _ in } != nil
    }

    /// Changes an account, unless it is as it should be. The audit log gets the reason.
    private func change(
        _ id: AccountID,
        _ reason: (Account) -> String,
        revokingSessions: Bool,
        _ change: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Bool {
        let changed = try await store.changeIfPossible(id, revokingSessions: revokingSessions) { account in
            let before = account
            try change(&account)
            guard !account.isSame(as: before) else { throw NothingToChange() }
        }
        guard let changed else { return false }
        await record(.accountChanged, id, reason: reason(changed))
        return true
    }

    /// Deletes an account and revokes its sessions.
    ///
    /// - Returns: `false` if there is no such account.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func delete(_ id: AccountID) async throws -> Bool {
        guard try await store.remove(id) else { return false }
        await record(.accountDeleted, id)
        return true
    }

    /// The hash of a password, for an account that you add.
    ///
    /// - Throws: ``AccountTextError``; ``/BusinessLogic/CollaboratorError``.
    public func hash(_ password: String) async throws -> String {
        try AccountText.password.check(password)
        return try await hasher.hash(password)
    }

    /// Changes an account, records it in the audit log, and informs the owner. Returns `nil` if there is no such account, or if `change`
    /// throws ``NothingToChange``.
    func change(
        _ id: AccountID,
        _ reason: AuditEvent.Change,
        informing content: MailContent? = nil,
        revokingSessions: Bool = false,
        _ client: ClientContext = ClientContext(),
        _ change: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        let changed = try await store.changeIfPossible(id, revokingSessions: revokingSessions, change)
        guard let changed else { return nil }
        await record(.accountChanged, id, reason: reason.rawValue, client)
        if let content { try await inform(changed, content, client) }
        return changed
    }
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
    /// Whether the account is equal to another one, and its texts also byte by byte.
    fileprivate func isSame(as other: Account) -> Bool {
        func bytes(_ account: Account) -> [[UInt8]?] {
            [account.username, account.email, account.note].map { $0.map { Array($0.utf8) } }
        }
        return self == other && bytes(self) == bytes(other)
    }

    /// The cost of the password's hash: `argon2id m=19456,t=2`, or the function of an imported one: `imported bcrypt`. `nil` if the hash
    /// cannot be verified, so that logins fail.
    package var passwordParameters: String? { (try? PasswordHash(passwordHash))?.description }
}
