public import BusinessLogic
public import RateLimiting

/// Who may log in, and what they have: the bundled controllers' collaborators, over stores of accounts and failed logins.
/// Used from any number of tasks at once.
public final class AccountService: Sendable {
    let accounts: any AccountStore
    let throttles: any ThrottleStore
    let hasher: PasswordHasher
    let clock: any WallClock
    let audit: any AuditLog
    let failedLogins: AddressLimit
    let signups: AddressLimit

    /// A service.
    ///
    /// - Parameters:
    ///   - accounts: has the accounts.
    ///   - throttles: counts the failed logins of each.
    ///   - hasher: hashes and verifies passwords.
    ///   - clock: tells how long throttles hold.
    ///   - audit: keeps a record.
    ///   - failedLogins: how many logins may fail from one address.
    ///   - signups: how many may sign up from one address.
    public init(
        accounts: any AccountStore,
        throttles: any ThrottleStore,
        hasher: PasswordHasher,
        clock: any WallClock,
        audit: any AuditLog = NoAuditLog(),
        failedLogins: AddressLimit = AddressLimit(Rate(30, per: .seconds(600))),
        signups: AddressLimit = AddressLimit(Rate(10, per: .seconds(3600)))
    ) {
        self.accounts = accounts
        self.throttles = throttles
        self.hasher = hasher
        self.clock = clock
        self.audit = audit
        self.failedLogins = failedLogins
        self.signups = signups
    }
}

// MARK: Login

extension AccountService: CredentialChecking {
    /// The user whose name and password these are.
    ///
    /// A client cannot tell an unknown name, a wrong password, a disabled account and a throttled account apart: each takes
    /// one look for the account, one count that is committed before the password is verified, and one verification.
    ///
    /// The attempt is counted against the visitor's address before it is verified, so that attempts at the same time cannot
    /// exceed the limit. It is taken back if the login succeeds, or if no password was verified.
    ///
    /// - Returns: the user; `nil` if the login fails.
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` if too many logins from the
    ///   visitor's address have failed; `.overloaded` and `.unavailable` if the password cannot be verified now;
    ///   `CancellationError` if the task is cancelled before the verification has begun. No attempt is spent then.
    public func authenticate(username: String, password: String, for visitor: Visitor) async throws -> User? {
        if let wait = failedLogins.take(visitor.address, isForwarded: visitor.isForwarded, at: clock.now) {
            throw CollaboratorError.tooManyRequests(retryAfter: wait)
        }
        do {
            let user = try await verifiedUser(username, password, visitor)
            if user != nil { failedLogins.giveBack(visitor.address, isForwarded: visitor.isForwarded) }
            return user
        } catch {
            failedLogins.giveBack(visitor.address, isForwarded: visitor.isForwarded)
            throw error
        }
    }

    /// The user, whose failures are counted for the account, or for the name if there is no account.
    private func verifiedUser(_ username: String, _ password: String, _ visitor: Visitor) async throws -> User? {
        let key = AccountKey(username)
        let account = try await accounts.account(username: key)
        let throttle = account.map { ThrottleKey.account($0.id) } ?? .stranger(key)
        let admission = try await admit(throttle)
        let attempt = Attempt(account: account, isAdmitted: admission.isAdmitted)
        let isRight: Bool
        do {
            isRight = try await hasher.verify(password, attempt.hash)
        } catch {
            await takeBack(admission)
            throw error
        }
        guard isRight, let account, try await isCurrent(account) else {
            record(.loginFailed, account?.id, reason: attempt.failure, visitor)
            return nil
        }
        try await throttles.update(throttle) { $0 = FailureCount() }
        try await rehash(password, of: account)
        record(.login, account.id, visitor)
        return User(username: account.username, id: account.id.text)
    }

    /// What was decided about an attempt before its password is verified.
    private struct Admission {
        let throttle: ThrottleKey
        let isAdmitted: Bool
        /// The count as it was before.
        let previous: FailureCount
        let time: Timestamp
    }

    /// Counts an attempt as a failure, if it may be verified now.
    private func admit(_ throttle: ThrottleKey) async throws -> Admission {
        let now = clock.now
        return try await throttles.update(throttle) { count in
            let previous = count
            let isAdmitted = LoginThrottle.admit(&count, at: now)
            return Admission(throttle: throttle, isAdmitted: isAdmitted, previous: previous, time: now)
        }
    }

    /// Takes back an attempt that was counted, because no password was verified.
    private func takeBack(_ admission: Admission) async {
        guard admission.isAdmitted else { return }
        // In a task of its own: a store may refuse to write for a task that is cancelled. If it cannot write, the attempt
        // stays counted.
        await Task { [throttles] in
            try? await throttles.update(admission.throttle) { count in
                count.failures = max(0, count.failures - 1)
                if count.lastFailure == admission.time { count.lastFailure = admission.previous.lastFailure }
            }
        }.value
    }

    /// An attempt to log in.
    private struct Attempt {
        /// What the password is held against; `nil` where it is to be refused in any case.
        let hash: String?
        /// Why it fails, if it does.
        let failure: String

        init(account: Account?, isAdmitted: Bool) {
            guard let account else {
                hash = nil
                failure = "unknownUser"
                return
            }
            hash = !account.isDisabled && isAdmitted ? account.passwordHash : nil
            failure = account.isDisabled ? "disabled" : isAdmitted ? "wrongPassword" : "throttled"
        }
    }

    /// Whether the account is still as it was before its password was verified, which takes a while.
    private func isCurrent(_ account: Account) async throws -> Bool {
        guard let current = try await accounts.account(account.id) else { return false }
        return !current.isDisabled && current.passwordHash == account.passwordHash
    }

    /// Hashes a password that has just been verified at today's cost, where its hash is cheaper.
    private func rehash(_ password: String, of account: Account) async throws {
        guard hasher.needsRehash(account.passwordHash) else { return }
        // It can be done next time: whoever has given the right password gets in.
        guard let hash = try? await hasher.hash(password) else { return }
        _ = try? await accounts.change(account.id, endingSessions: false) { changed in
            if changed.passwordHash == account.passwordHash { changed.passwordHash = hash }
        }
    }

    func record(
        _ kind: AuditEvent.Kind,
        _ account: AccountID? = nil,
        reason: String? = nil,
        _ visitor: Visitor = Visitor()
    ) {
        audit.record(AuditEvent(kind, at: clock.now, account: account, reason: reason, visitor: visitor))
    }
}

// MARK: Sign-up, user ID, address

extension AccountService: AccountCreating {
    /// Creates an account. Where somebody has one with that email address, nothing changes, and whoever signs up is not told:
    /// it takes as long, and the audit log has it.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``; nothing has been created then.
    public func createAccount(
        name: String,
        email: String,
        password: String,
        for visitor: Visitor
    ) async throws {
        if let wait = signups.take(visitor.address, isForwarded: visitor.isForwarded, at: clock.now) {
            throw CollaboratorError.tooManyRequests(retryAfter: wait)
        }
        let hash = try await hasher.hash(password)
        let account = Account(name: name, email: email, passwordHash: hash, created: clock.now)
        do {
            try await accounts.add(account)
            record(.signup, account.id, visitor)
        } catch is AccountConflict {
            // One write that waits for the disk, as a new account does.
            let now = clock.now
            try await throttles.update(.stranger(AccountKey(email))) { $0.lastFailure = now }
            let existing = try await accounts.account(email: AccountKey(email))
            record(.signupOfExisting, existing?.id, visitor)
        }
    }
}

extension AccountService: UserIDSaving {
    /// Keeps a user ID with the visitor's account.
    ///
    /// - Returns: `false` where it belongs to another account.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func save(userID: String, for visitor: Visitor) async throws -> Bool {
        guard let id = visitor.user?.id.map({ AccountID($0) }) else { return true }
        do {
            let account = try await accounts.change(id, endingSessions: false) { $0.userID = userID }
            if account != nil { record(.accountChanged, id, reason: "userID", visitor) }
            return true
        } catch AccountConflict.userID {
            return false
        }
    }
}

extension AccountService: PersonSaving {
    /// Keeps the address that the visitor wants to be written to with their account. The one that they log in with stays.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func save(email: String, for visitor: Visitor) async throws {
        guard let id = visitor.user?.id.map({ AccountID($0) }) else { return }
        let account = try await accounts.change(id, endingSessions: false) { $0.contactEmail = email }
        if account != nil { record(.accountChanged, id, reason: "contactEmail", visitor) }
    }
}

// MARK: Logout

extension AccountService {
    /// Keeps a record that the visitor has logged out.
    @Sendable public func loggedOut(_ visitor: Visitor) {
        record(.logout, visitor.user?.id.map { AccountID($0) }, visitor)
    }
}
