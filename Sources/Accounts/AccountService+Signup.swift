public import BundledControllers
public import BusinessLogic
import SessionStorage

extension AccountService: AccountCreating {
    /// Creates an account whose password works after its address has been confirmed, and sends the code for it; an account that works at
    /// once if addresses need not be confirmed.
    ///
    /// A client learns nothing about whether an account has the address: the response is the same after the same work, and the password
    /// that it has chosen works only with the code. The owner of an account gets a mail instead. A sign-up with the address of an account
    /// that was never confirmed replaces it.
    ///
    /// If addresses need not be confirmed, a client that then logs in with the password that it has just chosen learns whether an account had the
    /// address. Only the audit log and this show the difference.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` if too many users have signed up from
    ///   the client's address; `.overloaded` and `.unavailable` if the account cannot be created now;
    ///   ``AccountTextError``. Then no account has been created.
    @discardableResult
    public func signUp(
        name: String,
        email: String,
        password: String,
        for client: ClientContext
    ) async throws -> UnconfirmedSignup? {
        try AccountText.name.check(name)
        try AccountText.email.check(email)
        try AccountText.username.check(email)
        try AccountText.password.check(password)
        // If the event of the sign-up runs again, nothing is counted or hashed twice.
        let hash = try await UnitOfWork.once("createAccount", [password]) {
            try take(rateLimits.signups, client)
            return try await hasher.hash(password, for: Requester(address: client.address))
        }
        guard mail?.confirmsAddresses == true else {
            try await addConfirmed(Account(name: name, email: email, passwordHash: hash, created: clock.now), client)
            return nil
        }
        let (code, codeHash, id) = try await UnitOfWork.once("signUp", [email]) {
            let (code, codeHash) = try await self.newCode(for: client)
            return (code, codeHash, AccountID.random())
        }
        let added = Account(id: id, name: name, email: email, passwordHash: hash, created: clock.now).unconfirmed()
        let (content, account) = try await addUnconfirmed(added, code, client)
        let isSent = try await send(content, to: account?.email ?? email, of: account, client)
        return UnconfirmedSignup(id: added.passwordDigest, codeHash: isSent ? codeHash : Self.unmatched(codeHash))
    }

    /// Adds an account that works at once. If an account already has the email address, nothing changes.
    ///
    /// In both cases the work is the same: two reads and one committed write.
    private func addConfirmed(_ added: Account, _ client: ClientContext) async throws {
        let key = AccountKey(added.email)
        let sameEmail = try await store.account(email: key)
        let sameUsername = try await store.account(username: key)
        if sameEmail == nil, sameUsername == nil, try await isAdded(added) {
            return await record(.signup, added.id, client)
        }
        // A new account takes one committed write, so this case must take one as well.
        let now = clock.now
        try await store.update(.unknownName(key)) { $0.lastFailure = now }
        await record(.signupOfExisting, sameEmail?.id ?? sameUsername?.id, client)
    }

    /// Adds an account that is not confirmed, in place of another one that is not. Returns what the mail to its address says, and the account
    /// with the address.
    private func addUnconfirmed(
        _ added: Account,
        _ code: String,
        _ client: ClientContext
    ) async throws -> (MailContent, Account?) {
        let key = AccountKey(added.email)
        let sameEmail = try await store.account(email: key)
        let sameUsername = try await store.account(username: key)
        if sameEmail == nil, sameUsername == nil, try await isAdded(added) {
            await record(.signup, added.id, client)
            return (.confirmationCode(code), added)
        }
        guard let existing = sameEmail, existing.isUnconfirmed else {
            // As much work as to add or change an account, in a commit of its own or in that of the event.
            if let other = sameEmail ?? sameUsername {
                try await store.change(other.id, revokingSessions: false) { _ in }
            }
            await record(.signupOfExisting, sameEmail?.id ?? sameUsername?.id, client)
            return (.addressIsTaken, sameEmail)
        }
        let changed = try await store.changeIfPossible(existing.id, revokingSessions: false) { account in
            guard account.isUnconfirmed, AccountKey(account.email) == key else { throw NothingToChange() }
            account.name = added.name
            // As it was written this time, because the code goes there.
            if AccountKey(account.username) == key { account.username = added.email }
            account.email = added.email
            account.passwordHash = added.passwordHash
        }
        guard let changed else { return (.addressIsTaken, existing) }
        await record(.signup, changed.id, client)
        return (.confirmationCode(code), changed)
    }

    /// Adds an account, unless another client has just added one with its address.
    private func isAdded(_ account: Account) async throws -> Bool {
        do {
            try await store.add(account)
            return true
        } catch is AccountConflict {
            return false
        }
    }
}

extension AccountService: UserIDSaving {
    /// Saves a user ID in the client's account. If the client has no account, saves nothing and returns `true`.
    ///
    /// - Returns: `false` if another account has the user ID.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func save(userID: String, for client: ClientContext) async throws -> Bool {
        guard let id = client.user?.id.map({ AccountID($0) }) else { return true }
        do {
            _ = try await change(id, .userID, client) {
                if $0.userID == userID { throw NothingToChange() }
                $0.userID = userID
            }
            return true
        } catch AccountConflict.userID {
            return false
        }
    }
}

extension AccountService: PersonSaving {
    /// Returns the contact address in the client's account; `nil` if it has none, or if the client has no account.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func savedEmail(for client: ClientContext) async throws -> String? {
        guard let id = client.user?.id.map({ AccountID($0) }) else { return nil }
        return try await store.account(id)?.contactEmail
    }

    /// Saves in the client's account the address at which the user wants to be contacted. The email address for logins stays.
    ///
    /// - Returns: `false` if no user with an account is logged in, so that nothing is saved.
    /// - Throws: ``AccountTextError``; ``/BusinessLogic/CollaboratorError``.
    public func save(email: String, for client: ClientContext) async throws -> Bool {
        try AccountText.contactEmail.check(email)
        guard let account = try await account(of: client) else { return false }
        if account.contactEmail == email { return true }
        return try await change(account.id, .contactEmail, client) { $0.contactEmail = email } != nil
    }
}
