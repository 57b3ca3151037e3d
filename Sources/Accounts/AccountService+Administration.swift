public import BusinessLogic

/// What an operator does. None of it is limited, and all of it is in the audit log, without an address.
extension AccountService {
    /// Adds accounts, all or none.
    ///
    /// - Throws: ``AccountConflict``, which says what another account has already; ``AccountTextTooLong``;
    ///   ``/BusinessLogic/CollaboratorError``.
    public func add(_ added: [Account]) async throws {
        for account in added { try AccountLimits.check(account) }
        try await accounts.add(added)
        for account in added { record(.accountAdded, account.id) }
    }

    /// Lets nobody log in to an account any more, and ends its sessions; or lets its owner in again.
    ///
    /// - Returns: `false` where it was so already, or there is no such account.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func setDisabled(_ isDisabled: Bool, _ id: AccountID) async throws -> Bool {
        do {
            let changed = try await accounts.change(id, revokingSessions: isDisabled) { account in
                guard account.isDisabled != isDisabled else { throw NothingToChange() }
                account.isDisabled = isDisabled
            }
            guard changed != nil else { return false }
        } catch is NothingToChange {
            return false
        }
        record(.accountChanged, id, reason: isDisabled ? "disabled" : "enabled")
        return true
    }

    /// Forgets the failed logins of an account, so that its owner need not wait.
    ///
    /// - Returns: `false` where there were none.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func unlock(_ id: AccountID) async throws -> Bool {
        let had = try await throttles.update(.account(id)) { count in
            defer { count = FailureCount() }
            return count != FailureCount()
        }
        if had { record(.accountChanged, id, reason: "unlocked") }
        return had
    }

    /// Gives an account another password, and ends its sessions.
    ///
    /// - Parameters:
    ///   - password: one that a policy has nothing to object to.
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

    /// Deletes an account, and ends its sessions.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func delete(_ id: AccountID) async throws -> Bool {
        guard try await accounts.remove(id) else { return false }
        record(.accountDeleted, id)
        return true
    }

    /// Hashes the password of an account that is to be added.
    ///
    /// - Throws: ``AccountTextTooLong``; ``/BusinessLogic/CollaboratorError``.
    public func hash(_ password: String) async throws -> String {
        try AccountLimits.check(password: password)
        return try await hasher.hash(password)
    }

    /// How many passwords are hashed at once.
    public var workers: Int { hasher.workers }
}

/// An account is as it was to become.
private struct NothingToChange: Error {}

extension FailureCount {
    /// Until when nobody can log in, where that is later than now.
    public func lockedUntil(at now: Timestamp) -> Timestamp? {
        guard failures >= LoginThrottle.freeFailures, let lastFailure else { return nil }
        let end = lastFailure + LoginThrottle.wait(after: failures)
        return now < end ? end : nil
    }
}

extension Account {
    /// How its password is hashed: `argon2id m=19456,t=2`. `nil` where the hash cannot be verified, so that nobody can log in.
    public var passwordParameters: String? {
        Argon2idString(passwordHash).map { "argon2id m=\($0.cost.memory),t=\($0.cost.iterations)" }
    }
}

extension AccountConflict: CustomStringConvertible {
    /// What a person is told who adds or changes an account.
    public var description: String {
        switch self {
        case .email: "another account has this email address"
        case .username: "another account has this username"
        case .userID: "another account has this user ID"
        }
    }
}

extension AccountStore {
    /// The account that an operator means: the one with that username, else with that email address, else with that id.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func account(named name: String) async throws -> Account? {
        let key = AccountKey(name)
        if let account = try await account(username: key) { return account }
        if let account = try await account(email: key) { return account }
        return try await account(AccountID(name))
    }
}
