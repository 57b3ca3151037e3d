public import BundledControllers
public import BusinessLogic
import SessionStorage

extension AccountService: CredentialChecking {
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
    public func verify(username: String, password: String, for client: ClientContext) async throws
        -> VerifiedUser?
    {
        // If the event of the login runs again, nothing is counted or verified twice.
        let verified = try await UnitOfWork.once("authenticate", [username, password]) {
            try await verifiedLogin(username: username, password: password, for: client)
        }
        guard let verified else { return nil }
        var account = verified.account
        // A part of the event's changes: if they are discarded, the user has not logged in.
        try await reset(verified.counter)
        let requester = Requester(address: client.address, account: AccountKey(username))
        if let hash = await rehash(password, of: account, for: requester) { account.passwordHash = hash }
        if account.factors.isEmpty {
            await record(.login, account.id, client)
            return VerifiedUser(account.user)
        }
        await record(.passwordVerified, account.id, client)
        return VerifiedUser(account.user, proof: account.passwordDigest)
    }

    /// The account with that name and password, and the count of its failures; `nil` if the login fails.
    private func verifiedLogin(
        username: String,
        password: String,
        for client: ClientContext
    ) async throws -> (account: Account, counter: Counter)? {
        try reserve(for: client)
        let (account, attempt, verified) = try await decided(client) {
            let name = AccountKey(username)
            let account = try await store.account(username: name)
            let (attempt, verified) = try await self.attempt(password, of: account, name, client)
            return (account, attempt, verified)
        }
        guard let verified else {
            let failure: AuditEvent.LoginFailure = attempt.isAdmitted ? .wrongPassword : .throttled
            let reason = account.map { $0.isDisabled ? .disabled : failure } ?? .unknownUser
            return await failed(account, reason.rawValue, client)
        }
        giveBack(rateLimits.failedLogins, client)
        return (verified, attempt.counter)
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

    /// The count to which an attempt adds a failure.
    enum Counter: Hashable, Sendable {
        case throttle(ThrottleKey)
        case device(DeviceKey)
    }

    /// An attempt that counts as a failure until it succeeds.
    struct CountedAttempt: Sendable {
        let counter: Counter
        /// The number of failures in a row with this one; `nil` if the attempt was not counted, and must not be verified.
        let number: Int?
        let time: Timestamp
        var previousFailure: Timestamp?

        var isAdmitted: Bool { number != nil }

        var isOfKnownDevice: Bool {
            if case .device = counter { true } else { false }
        }
    }

    /// Counts an attempt as a failure if it may be verified now, then verifies its password: for the device if the account knows it, else for
    /// the account, or for the name if there is no account. Returns the account as it is now; `nil` if the attempt fails. If no password was
    /// verified, throws, and the count is as before.
    ///
    /// Attempts that use one count take turns, as ``LoginTurns`` says. Those on other servers, of which each has at most one at a time, still
    /// count as failures.
    private func attempt(
        _ password: String,
        of account: Account?,
        _ name: AccountKey,
        _ client: ClientContext
    ) async throws -> (CountedAttempt, verified: Account?) {
        let limit = hasher.maximumWaiting
        if let device = try await knownDevice(client, of: account) {
            let result = try await turns.run(.counter(.device(device)), limit: limit) {
                () -> (CountedAttempt, verified: Account?)? in
                guard let attempt = try await countFailure(of: device) else { return nil }
                return (attempt, try await verify(password, of: account, name, attempt, client))
            }
            if let result { return result }
        }
        let throttle = account.map { ThrottleKey.account($0.id) } ?? .unknownName(name)
        return try await turns.run(account == nil ? .name(name) : .counter(.throttle(throttle)), limit: limit) {
            let attempt = try await count(throttle)
            return (attempt, try await verify(password, of: account, name, attempt, client))
        }
    }

    private func verify(
        _ password: String,
        of account: Account?,
        _ name: AccountKey,
        _ attempt: CountedAttempt,
        _ client: ClientContext
    ) async throws -> Account? {
        let isKnown = attempt.isOfKnownDevice
        let requester = Requester(address: client.address, account: name, isKnownDevice: isKnown)
        do {
            let hash = account?.isDisabled == false && attempt.isAdmitted ? account?.passwordHash : nil
            guard try await hasher.verify(password, hash, for: requester), let account,
                let current = try await current(account, password, requester)
            else { return nil }
            // The commit of the event resets the count, but the next attempt comes earlier.
            if attempt.number != 1 { await reverse(attempt) }
            return current
        } catch {
            await reverse(attempt)
            throw error
        }
    }

    /// Counts an attempt as a failure if it may be verified now.
    func count(_ throttle: ThrottleKey) async throws -> CountedAttempt {
        let now = clock.now
        return try await store.update(throttle) { count in
            let previous = count.lastFailure
            let number = LoginThrottle.admit(&count, at: now) ? count.failures : nil
            return CountedAttempt(counter: .throttle(throttle), number: number, time: now, previousFailure: previous)
        }
    }

    /// Reverses the count of an attempt, because its password is right, or was not verified.
    func reverse(_ attempt: CountedAttempt) async {
        guard attempt.isAdmitted else { return }
        // In a separate task, because a store may refuse to write for a cancelled task. If it cannot write, the attempt
        // stays counted.
        await Task { [store] in
            switch attempt.counter {
            case .throttle(let key):
                try? await store.update(key) { count in
                    count.failures = max(0, count.failures - 1)
                    if count.lastFailure == attempt.time { count.lastFailure = attempt.previousFailure }
                }
            case .device(let key):
                _ = try? await store.updateFailures(of: key) { $0 = max(0, $0 - 1) }
            }
        }.value
    }

    /// Resets the count of an attempt that has succeeded. A login from a known device does not reset the failures of the
    /// account, so that other clients get no additional attempts.
    func reset(_ counter: Counter) async throws {
        switch counter {
        case .throttle(let key): try await store.reset(key)
        case .device(let key): try await store.resetFailures(of: key)
        }
    }

    /// The account as it is now, because it may have changed during the verification, such as its roles; `nil` if it no longer has the verified
    /// password, or is disabled.
    private func current(_ account: Account, _ password: String, _ requester: Requester) async throws -> Account? {
        guard let current = try await store.account(account.id), !current.isDisabled else { return nil }
        if current.passwordHash == account.passwordHash { return current }
        // A simultaneous login may have replaced the hash of the same password.
        guard try await hasher.verify(password, current.passwordHash, for: requester) else { return nil }
        return try await self.current(current, password, requester)
    }

    /// Replaces the hash of a verified password if new hashes cost more. Returns the new hash; `nil` if the hash stays.
    private func rehash(_ password: String, of account: Account, for requester: Requester) async -> String? {
        guard hasher.needsRehash(account.passwordHash) else { return nil }
        // An error must not fail the login: the next login tries again.
        guard let hash = try? await hasher.hash(password, for: requester) else { return nil }
        let changed = try? await store.change(account.id, revokingSessions: false) { changed in
            if changed.passwordHash == account.passwordHash { changed.passwordHash = hash }
        }
        return changed?.passwordHash == hash ? hash : nil
    }
}
