public import BundledControllers
public import BusinessLogic
internal import SessionStorage

extension AccountService: CredentialChecking {
    /// The user with that name and password; `nil` if the login fails, or if a second factor must complete it.
    ///
    /// - Throws: as ``verify(username:password:for:)``.
    public func authenticate(username: String, password: String, for client: ClientContext) async throws -> User? {
        let verified = try await verify(username: username, password: password, for: client)
        return verified?.proof == nil ? verified?.user : nil
    }

    /// The user with that name and password, who may need a second factor; `nil` if the login fails.
    ///
    /// A client cannot distinguish an unknown name, a wrong password, a disabled account and a throttled account: each takes
    /// one read of the account, one count that is committed before the verification, and one verification. If the client
    /// presents the token of a device, each also takes one read of the device.
    ///
    /// The attempt counts against the client's address before it is verified, so that simultaneous attempts cannot exceed the
    /// limit. The count is reversed if the login succeeds, or if no password was verified.
    ///
    /// From a device on which the account's user has logged in before, an attempt counts for the device instead of the
    /// account, until five in a row have failed. So the user can log in while an attacker guesses the password; see
    /// ``issueDeviceToken(to:_:)``.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` if too many logins from the
    ///   client's address have failed, or too many have been verified; `.overloaded` and `.unavailable` if the login
    ///   cannot be decided now; `CancellationError` if the task is cancelled before the verification has begun. If no
    ///   password was verified, the attempt does not count.
    public func verify(username: String, password: String, for client: ClientContext) async throws -> VerifiedUser? {
        // If the event of the login runs again, nothing is counted or verified twice.
        let verified = try await UnitOfWork.once("authenticate", [username, password]) {
            try await verifiedLogin(username: username, password: password, for: client)
        }
        guard let verified else { return nil }
        var account = verified.account
        // A part of the event's changes: if they are discarded, the user has not logged in.
        try await reset(verified.counter)
        let requester = PasswordHasher.Requester(address: client.address, account: AccountKey(username))
        if let hash = await rehash(password, of: account, for: requester) {
            account.passwordHash = hash
        }
        if account.factors.isEmpty {
            await record(.login, account.id, client)
            return VerifiedUser(account.user)
        }
        guard let proof = account.passwordDigest else { throw CollaboratorError.unavailable(retryAfter: .seconds(1)) }
        await record(.passwordVerified, account.id, client)
        return VerifiedUser(account.user, proof: proof)
    }

    /// The account with that name and password, and the count of its failures; `nil` if the login fails.
    private func verifiedLogin(
        username: String,
        password: String,
        for client: ClientContext
    ) async throws -> (account: Account, counter: Counter)? {
        try reserve(for: client)
        let attempt: Attempt
        let isRight: Bool
        do {
            (attempt, isRight) = try await verify(password, AccountKey(username), client)
        } catch {
            giveBack(for: client)
            throw error
        }
        guard isRight, let verified = attempt.account, let account = try await current(verified) else {
            await record(.loginFailed, attempt.account?.id, reason: attempt.failure.rawValue, client)
            return nil
        }
        giveBack(rateLimits.failedLogins, client)
        return (account, attempt.count.counter)
    }

    /// Counts a login against the client's address, before its result is known.
    func reserve(for client: ClientContext) throws {
        try take(rateLimits.logins, client)
        do {
            try take(rateLimits.failedLogins, client)
        } catch {
            giveBack(rateLimits.logins, client)
            throw error
        }
    }

    /// Reverses ``reserve(for:)``, because nothing was verified.
    func giveBack(for client: ClientContext) {
        giveBack(rateLimits.logins, client)
        giveBack(rateLimits.failedLogins, client)
    }

    /// Counts an attempt, then verifies the password.
    ///
    /// - Throws: if no password was verified. Then the count is as before the attempt.
    private func verify(
        _ password: String,
        _ name: AccountKey,
        _ client: ClientContext
    ) async throws -> (Attempt, isRight: Bool) {
        let account = try await accounts.account(username: name)
        let attempt = try await attempt(account, name, client)
        do {
            let requester = PasswordHasher.Requester(
                address: client.address,
                account: name,
                isKnownDevice: attempt.count.isOfKnownDevice
            )
            return (attempt, try await hasher.verify(password, attempt.hash, for: requester))
        } catch {
            await reverse(attempt.count)
            throw error
        }
    }

    /// The count to which an attempt adds a failure.
    enum Counter: Sendable {
        case throttle(ThrottleKey)
        case device(DeviceKey)
    }

    /// An attempt that counts as a failure until it succeeds.
    struct CountedAttempt: Sendable {
        let counter: Counter
        /// Whether the attempt was counted and may be verified.
        let isAdmitted: Bool
        /// When it was counted.
        let time: Timestamp
        /// When the previous failure was counted.
        var previousFailure: Timestamp?

        /// Whether it was counted for a device that the account knows.
        var isOfKnownDevice: Bool {
            if case .device = counter { true } else { false }
        }
    }

    /// An attempt to log in, as decided before its password is verified.
    private struct Attempt {
        let account: Account?
        let count: CountedAttempt

        var isAdmitted: Bool { count.isAdmitted }

        /// The hash to verify the password against; `nil` if the attempt fails in any case.
        var hash: String? {
            guard let account, !account.isDisabled, isAdmitted else { return nil }
            return account.passwordHash
        }

        /// The reason to record if the attempt fails.
        var failure: AuditEvent.LoginFailure {
            guard let account else { return .unknownUser }
            return account.isDisabled ? .disabled : isAdmitted ? .wrongPassword : .throttled
        }
    }

    /// Counts an attempt as a failure if it may be verified now: for the device if the account knows it, else for the
    /// account, or for the name if there is no account.
    private func attempt(_ account: Account?, _ name: AccountKey, _ client: ClientContext) async throws -> Attempt {
        let now = clock.now
        if let device = try await knownDevice(client, of: account), try await countFailure(of: device) {
            return Attempt(
                account: account,
                count: CountedAttempt(counter: .device(device), isAdmitted: true, time: now)
            )
        }
        let throttle = account.map { ThrottleKey.account($0.id) } ?? .unknownName(name)
        return Attempt(account: account, count: try await count(throttle))
    }

    /// Counts an attempt as a failure if it may be verified now.
    func count(_ throttle: ThrottleKey) async throws -> CountedAttempt {
        let now = clock.now
        let (isAdmitted, previous) = try await throttles.update(throttle) { count in
            let previous = count.lastFailure
            return (LoginThrottle.admit(&count, at: now), previous)
        }
        return CountedAttempt(
            counter: .throttle(throttle),
            isAdmitted: isAdmitted,
            time: now,
            previousFailure: previous
        )
    }

    /// Reverses the count of an attempt, because nothing was verified.
    func reverse(_ attempt: CountedAttempt) async {
        guard attempt.isAdmitted else { return }
        // In a separate task, because a store may refuse to write for a cancelled task. If it cannot write, the attempt
        // stays counted.
        await Task { [throttles, devices] in
            switch attempt.counter {
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

    /// Resets the count of an attempt that has succeeded. A login from a known device does not reset the failures of the
    /// account, so that other clients get no additional attempts.
    func reset(_ counter: Counter) async throws {
        switch counter {
        case .throttle(let key): try await throttles.reset(key)
        case .device(let key): try await devices?.resetFailures(of: key)
        }
    }

    /// The account as it is now, because it may have changed during the verification, such as its roles; `nil` if it no longer has the verified
    /// password, or is disabled.
    private func current(_ account: Account) async throws -> Account? {
        guard let current = try await accounts.account(account.id) else { return nil }
        return !current.isDisabled && current.passwordHash == account.passwordHash ? current : nil
    }

    /// Replaces the hash of a verified password if new hashes cost more.
    ///
    /// - Returns: the new hash; `nil` if the hash stays.
    private func rehash(
        _ password: String,
        of account: Account,
        for requester: PasswordHasher.Requester
    ) async -> String? {
        guard hasher.needsRehash(account.passwordHash) else { return nil }
        // An error must not fail the login: the next login tries again.
        guard let hash = try? await hasher.hash(password, for: requester) else { return nil }
        let changed = try? await accounts.change(account.id, revokingSessions: false) { changed in
            if changed.passwordHash == account.passwordHash { changed.passwordHash = hash }
        }
        return changed?.passwordHash == hash ? hash : nil
    }
}
