public import BundledControllers
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
    let logins: AddressLimit
    let failedLogins: AddressLimit
    let signups: AddressLimit
    let devices: (any DeviceStore)?

    /// A service.
    ///
    /// - Parameters:
    ///   - accounts: stores the accounts.
    ///   - throttles: counts the failed logins of each account.
    ///   - devices: stores the devices on which users have logged in. It must be the same store as `accounts`, so that it
    ///     removes the devices of an account together with the account's sessions. `nil` if no device is to be known.
    ///   - hasher: hashes and verifies passwords.
    ///   - clock: the time by which attempts are throttled and devices expire.
    ///   - audit: keeps a record.
    ///   - logins: how many logins may be verified from one address, including those that succeed.
    ///   - failedLogins: how many logins may fail from one address.
    ///   - signups: how many users may sign up from one address.
    public init(
        accounts: any AccountStore,
        throttles: any ThrottleStore,
        devices: (any DeviceStore)? = nil,
        hasher: PasswordHasher,
        clock: any WallClock,
        audit: any AuditLog = NoAuditLog(),
        logins: AddressLimit = AddressLimit(Rate(300, per: .seconds(600))),
        failedLogins: AddressLimit = AddressLimit(Rate(30, per: .seconds(600))),
        signups: AddressLimit = AddressLimit(Rate(10, per: .seconds(3600)))
    ) {
        self.accounts = accounts
        self.throttles = throttles
        self.devices = devices
        self.hasher = hasher
        self.clock = clock
        self.audit = audit
        self.logins = logins
        self.failedLogins = failedLogins
        self.signups = signups
    }
}

// MARK: Login

extension AccountService: CredentialChecking {
    /// The user whose name and password these are.
    ///
    /// A client cannot tell an unknown name, a wrong password, a disabled account and a throttled account apart: each takes
    /// one look for the account, one count that is committed before the password is verified, and one verification. If the
    /// client presents the token of a device, there is also one look for the device, whatever the account.
    ///
    /// The attempt is counted against the client's address before it is verified, so that attempts at the same time cannot
    /// exceed the limit. It is taken back if the login succeeds, or if no password was verified.
    ///
    /// From a device on which the account's user has logged in before, an attempt counts for the device instead of the
    /// account, until five in a row have failed. So the user can log in while others guess; see ``issueDeviceToken(to:_:)``.
    ///
    /// - Returns: the user; `nil` if the login fails.
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` if too many logins from the
    ///   client's address have failed, or too many have been verified; `.overloaded` and `.unavailable` if the login
    ///   cannot be decided now; `CancellationError` if the task is cancelled before the verification has begun. If no
    ///   password was verified, no attempt is spent.
    public func authenticate(username: String, password: String, for client: ClientContext) async throws -> User? {
        try reserve(for: client)
        let attempt: Attempt
        let isRight: Bool
        do {
            (attempt, isRight) = try await verify(password, AccountKey(username), client)
        } catch {
            logins.giveBack(client.address, isForwarded: client.isForwarded)
            failedLogins.giveBack(client.address, isForwarded: client.isForwarded)
            throw error
        }
        guard isRight, let account = attempt.account, try await isCurrent(account) else {
            record(.loginFailed, attempt.account?.id, reason: attempt.failure, client)
            return nil
        }
        failedLogins.giveBack(client.address, isForwarded: client.isForwarded)
        try await reset(attempt.count)
        try await rehash(password, of: account, for: requester(client, AccountKey(username)))
        record(.login, account.id, client)
        return User(username: account.username, id: account.id.text)
    }

    /// Counts a login against the client's address, before it is known how it ends.
    private func reserve(for client: ClientContext) throws {
        if let wait = logins.take(client.address, isForwarded: client.isForwarded, at: clock.now) {
            throw CollaboratorError.tooManyRequests(retryAfter: wait)
        }
        if let wait = failedLogins.take(client.address, isForwarded: client.isForwarded, at: clock.now) {
            logins.giveBack(client.address, isForwarded: client.isForwarded)
            throw CollaboratorError.tooManyRequests(retryAfter: wait)
        }
    }

    /// The client and the account for which a password is hashed or verified.
    private func requester(_ client: ClientContext, _ name: AccountKey) -> PasswordHasher.Requester {
        PasswordHasher.Requester(address: client.address, account: name)
    }

    /// Counts an attempt, and verifies the password.
    ///
    /// - Throws: if no password was verified. The count is then as before.
    private func verify(
        _ password: String,
        _ name: AccountKey,
        _ client: ClientContext
    ) async throws -> (Attempt, isRight: Bool) {
        let account = try await accounts.account(username: name)
        let attempt = try await attempt(account, name, client)
        do {
            return (attempt, try await hasher.verify(password, attempt.hash, for: requester(client, name)))
        } catch {
            await takeBack(attempt)
            throw error
        }
    }

    /// What counts failures.
    private enum Count {
        case throttle(ThrottleKey)
        case device(DeviceKey)
    }

    /// An attempt to log in, as decided before its password is verified.
    private struct Attempt {
        let account: Account?
        /// What counts it as a failure until it succeeds.
        let count: Count
        /// Whether it may be verified now, and was counted.
        let isAdmitted: Bool
        /// When it was counted.
        let time: Timestamp
        /// When the failure before it was counted.
        var previousFailure: Timestamp?

        /// What the password is verified against; `nil` if the attempt fails in any case.
        var hash: String? {
            guard let account, !account.isDisabled, isAdmitted else { return nil }
            return account.passwordHash
        }

        /// Why it fails, if it does.
        var failure: String {
            guard let account else { return "unknownUser" }
            return account.isDisabled ? "disabled" : isAdmitted ? "wrongPassword" : "throttled"
        }
    }

    /// Counts an attempt as a failure, if it may be verified now: for the device if the account knows it, else for the
    /// account, or for the name if there is no account.
    private func attempt(_ account: Account?, _ name: AccountKey, _ client: ClientContext) async throws -> Attempt {
        let now = clock.now
        if let device = try await knownDevice(client, of: account), try await countFailure(of: device) {
            return Attempt(account: account, count: .device(device), isAdmitted: true, time: now)
        }
        let throttle = account.map { ThrottleKey.account($0.id) } ?? .stranger(name)
        let (isAdmitted, previous) = try await throttles.update(throttle) { count in
            let previous = count.lastFailure
            return (LoginThrottle.admit(&count, at: now), previous)
        }
        return Attempt(
            account: account,
            count: .throttle(throttle),
            isAdmitted: isAdmitted,
            time: now,
            previousFailure: previous
        )
    }

    /// Takes back an attempt that was counted, because no password was verified.
    private func takeBack(_ attempt: Attempt) async {
        guard attempt.isAdmitted else { return }
        // In a task of its own: a store may refuse to write for a task that is cancelled. If it cannot write, the attempt
        // stays counted.
        await Task { [throttles, devices] in
            switch attempt.count {
            case .throttle(let key):
                try? await throttles.update(key) { count in
                    count.failures = max(0, count.failures - 1)
                    if count.lastFailure == attempt.time { count.lastFailure = attempt.previousFailure }
                }
            case .device(let key):
                _ = try? await devices?.updateFailures(of: key) { $0 = max(0, $0 - 1) }
            }
        }.value
    }

    /// Forgets the failures that counted, because an attempt has succeeded. The login from a device leaves those of its account
    /// as they are, so that no other client gets more attempts.
    private func reset(_ count: Count) async throws {
        switch count {
        case .throttle(let key): try await throttles.update(key) { $0 = FailureCount() }
        case .device(let key): _ = try await devices?.updateFailures(of: key) { $0 = 0 }
        }
    }

    /// Whether the account is still as it was before its password was verified, which takes a while.
    private func isCurrent(_ account: Account) async throws -> Bool {
        guard let current = try await accounts.account(account.id) else { return false }
        return !current.isDisabled && current.passwordHash == account.passwordHash
    }

    /// Hashes a password that has just been verified at today's cost, where its hash is cheaper.
    private func rehash(
        _ password: String,
        of account: Account,
        for requester: PasswordHasher.Requester
    ) async throws {
        guard hasher.needsRehash(account.passwordHash) else { return }
        // It can be done next time: whoever has given the right password gets in.
        guard let hash = try? await hasher.hash(password, for: requester) else { return }
        _ = try? await accounts.change(account.id, endingSessions: false) { changed in
            if changed.passwordHash == account.passwordHash { changed.passwordHash = hash }
        }
    }

    func record(
        _ kind: AuditEvent.Kind,
        _ account: AccountID? = nil,
        reason: String? = nil,
        _ client: ClientContext = ClientContext()
    ) {
        audit.record(AuditEvent(kind, at: clock.now, account: account, reason: reason, client: client))
    }
}

// MARK: Sign-up, user ID, address

extension AccountService: AccountCreating {
    /// Creates an account. If an account has the email address already, nothing changes.
    ///
    /// The client gets the same response after the same work in both cases: one password hashed, two reads and one committed
    /// write. The audit log shows which one it was. But a client that then logs in with the password that it has just chosen
    /// finds out whether an account had the address: only if addresses are confirmed before an account is created can this
    /// be prevented. To confirm them, implement ``/BundledControllers/AccountCreating`` yourself.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` if too many users have signed up from
    ///   the client's address; `.overloaded` and `.unavailable` if the account cannot be created now;
    ///   ``AccountTextTooLong``. Nothing has been created then.
    public func createAccount(
        name: String,
        email: String,
        password: String,
        for client: ClientContext
    ) async throws {
        try AccountLimits.check(name: name, email: email, username: nil)
        try AccountLimits.check(password: password)
        if let wait = signups.take(client.address, isForwarded: client.isForwarded, at: clock.now) {
            throw CollaboratorError.tooManyRequests(retryAfter: wait)
        }
        let requester = PasswordHasher.Requester(address: client.address)
        let hash = try await hasher.hash(password, for: requester)
        let account = Account(name: name, email: email, passwordHash: hash, created: clock.now)
        let key = AccountKey(email)
        let existing = try await accounts.account(email: key)
        let namesake = try await accounts.account(username: key)
        if existing == nil, namesake == nil, try await isAdded(account) {
            return record(.signup, account.id, client)
        }
        // The one write that a new account takes.
        let now = clock.now
        try await throttles.update(.stranger(key)) { $0.lastFailure = now }
        record(.signupOfExisting, existing?.id ?? namesake?.id, client)
    }

    /// Adds an account, unless another client has just added one of its address.
    private func isAdded(_ account: Account) async throws -> Bool {
        do {
            try await accounts.add(account)
            return true
        } catch is AccountConflict {
            return false
        }
    }
}

extension AccountService: UserIDSaving {
    /// Keeps a user ID with the client's account.
    ///
    /// - Returns: `false` where it belongs to another account.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func save(userID: String, for client: ClientContext) async throws -> Bool {
        guard let id = client.user?.id.map({ AccountID($0) }) else { return true }
        do {
            let account = try await accounts.change(id, endingSessions: false) { $0.userID = userID }
            if account != nil { record(.accountChanged, id, reason: "userID", client) }
            return true
        } catch AccountConflict.userID {
            return false
        }
    }
}

extension AccountService: PersonSaving {
    /// Keeps the address that the client wants to be written to with their account. The one that they log in with stays.
    ///
    /// - Throws: ``AccountTextTooLong``; ``/BusinessLogic/CollaboratorError``.
    public func save(email: String, for client: ClientContext) async throws {
        try AccountLimits.check(name: "", email: "", username: nil, contactEmail: email)
        guard let id = client.user?.id.map({ AccountID($0) }) else { return }
        let account = try await accounts.change(id, endingSessions: false) { $0.contactEmail = email }
        if account != nil { record(.accountChanged, id, reason: "contactEmail", client) }
    }
}

// MARK: Logout

extension AccountService {
    /// Keeps a record that the client has logged out.
    @Sendable public func loggedOut(_ client: ClientContext) {
        record(.logout, client.user?.id.map { AccountID($0) }, client)
    }
}
