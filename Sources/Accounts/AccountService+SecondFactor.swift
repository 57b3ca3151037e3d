public import BundledControllers
public import BusinessLogic
import SessionStorage

extension AccountService {
    private typealias Failure = AuditEvent.LoginFailure

    public func factors(for login: PendingLogin) async throws -> LoginFactors? {
        guard let factors = try await account(of: login)?.factors else { return nil }
        return LoginFactors(
            passkey: !factors.passkeys.isEmpty && relyingParty != nil,
            authenticatorApp: factors.authenticatorApp != nil,
            recoveryCodes: !factors.recoveryCodes.isEmpty
        )
    }

    /// The account of a login that waits for the second factor; `nil` if the account is disabled, or if its password was changed since then.
    private func account(of login: PendingLogin) async throws -> Account? {
        guard let id = login.user.id, let account = try await store.account(AccountID(id)), !account.isDisabled,
            account.passwordDigest == login.proof, !account.factors.isEmpty
        else { return nil }
        return account
    }

    public func passkeyRequest(for login: PendingLogin?, _ client: ClientContext) async throws -> Value? {
        guard let relyingParty else { return nil }
        var allowed: [[UInt8]] = []
        if let login {
            allowed = try await account(of: login)?.factors.passkeys.map(\.passkey.id) ?? []
            if allowed.isEmpty { return nil }
        }
        let challenge = try await UnitOfWork.once("passkeyRequest", []) { RelyingParty.challenge() }
        return relyingParty.requestOptions(
            challenge: challenge,
            allowing: allowed,
            requiresUserVerification: login == nil
        )
    }

    /// The user whose passkey has signed the challenge; `nil` if the login fails.
    ///
    /// Without a password, the passkey must have verified its user, so that the login has two factors. A passkey cannot be guessed. Therefore
    /// only the client's address is limited, and strangers cannot lock its user out.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` if too many logins from the client's address have failed;
    ///   `.unavailable` if the login cannot be decided now.
    public func user(
        withPasskey response: String,
        challenge: String,
        for login: PendingLogin?,
        _ client: ClientContext
    ) async throws -> User? {
        try await UnitOfWork.once("reservePasskey", [challenge]) { try self.reserve(for: client) }
        return try await decided(client) {
            try await self.verifiedUser(withPasskey: response, challenge: challenge, for: login, client)
        }
    }

    /// Reverses the reservation of a login if it cannot be decided.
    func decided<Result>(_ client: ClientContext, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            giveBack(for: client)
            throw error
        }
    }

    private func verifiedUser(
        withPasskey response: String,
        challenge: String,
        for login: PendingLogin?,
        _ client: ClientContext
    ) async throws -> User? {
        guard let relyingParty, let challenge = [UInt8](base64URL: challenge),
            let response = try? JSONReader.read(Array(response.utf8))
        else { return await failed(nil, "malformedPasskey", client) }
        guard let account = try await account(of: login, response),
            let id = try? RelyingParty.passkeyID(in: response),
            let known = account.factors.passkeys.first(where: { $0.passkey.id == id })
        else { return await failed(nil, "unknownPasskey", client) }
        let result: (passkey: Passkey, mayBeCloned: Bool)
        do {
            result = try relyingParty.login(
                with: response,
                of: known.passkey,
                handle: account.id.handle,
                challenge: challenge,
                isSecondFactor: login != nil
            )
        } catch {
            return await failed(account, "\(error)", client)
        }
        let now = clock.now
        let changed = try await store.changeIfPossible(account.id, revokingSessions: false) { changed in
            // The passkey or the password may have been removed a moment ago.
            guard !changed.isDisabled, login == nil || changed.passwordDigest == login?.proof,
                let index = changed.factors.passkeys.firstIndex(where: { $0.passkey.id == id })
            else { throw NothingToChange() }
            var passkey = result.passkey
            passkey.counter = max(passkey.counter, changed.factors.passkeys[index].passkey.counter)
            changed.factors.passkeys[index].passkey = passkey
            changed.factors.passkeys[index].lastUsed = now
        }
        guard let changed else { return await failed(account, "unknownPasskey", client) }
        if result.mayBeCloned { await record(.passkeySuspected, account.id, client) }
        return await finish(changed, "passkey", client)
    }

    /// The account of a login that waits; without one, that of the passkey.
    private func account(of login: PendingLogin?, _ response: Value) async throws -> Account? {
        if let login { return try await account(of: login) }
        guard let handle = try? RelyingParty.userHandle(in: response) else { return nil }
        let account = try await store.account(AccountID(String(decoding: handle, as: UTF8.self)))
        return account?.isDisabled == false ? account : nil
    }

    /// The user of a login with a one-time code or a recovery code; `nil` if it fails.
    ///
    /// Wrong codes of an account count together, with those of a known device apart, so that a stranger who knows the password cannot lock out
    /// the user there. Recovery codes cannot be guessed, and are always verified. A right password does not reset these counts.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` if too many logins from the client's address have failed;
    ///   `.overloaded` and `.unavailable` if the code cannot be checked now.
    public func user(withCode code: String, for login: PendingLogin, _ client: ClientContext) async throws -> User? {
        guard let account = try await account(of: login) else { return nil }
        try await UnitOfWork.once("reserveCode", [login.proof, code]) { try self.reserve(for: client) }
        let code = RecoveryCodes.normalized(code)
        let isRecovery = code.utf8.count == RecoveryCodes.length
        let changed = try await decided(client) {
            isRecovery
                ? try await self.useRecoveryCode(code, of: account, login, client)
                : try await self.useCode(code, of: account, login, client)
        }
        guard let changed else { return nil }
        return await finish(changed, isRecovery ? "recoveryCode" : "authenticatorApp", client)
    }

    private func useCode(
        _ code: String,
        of account: Account,
        _ login: PendingLogin,
        _ client: ClientContext
    ) async throws -> Account? {
        let isKnown = try await knownDevice(client, of: account) != nil
        let attempt = try await UnitOfWork.once("countCode", [login.proof, code]) {
            try await self.count(.secondFactor(account.id, isKnownDevice: isKnown))
        }
        guard attempt.isAdmitted else { return await failed(account, Failure.throttled.rawValue, client) }
        let changed: Account?
        do {
            changed = try await use(code, of: account, login)
        } catch {
            await reverse(attempt)
            throw error
        }
        guard let changed else { return await failed(account, Failure.wrongCode.rawValue, client) }
        // As after a right password: the commit resets the count, but the event may run again before.
        if attempt.number != 1 { await reverse(attempt) }
        try await reset(attempt.counter)
        return changed
    }

    /// Stores that a code was used. Returns `nil` if it is wrong, or was used before.
    private func use(_ code: String, of account: Account, _ login: PendingLogin) async throws -> Account? {
        let now = clock.now
        return try await store.changeIfPossible(account.id, revokingSessions: false) { changed in
            // Not the app of the account that was read before: another request may have used the code.
            guard !changed.isDisabled, changed.passwordDigest == login.proof,
                let app = changed.factors.authenticatorApp,
                let secret = [UInt8](base64URL: app.secret),
                let step = OneTimeCodeSecret(bytes: secret).step(of: code, at: now, after: app.lastStep)
            else { throw NothingToChange() }
            changed.factors.authenticatorApp?.lastStep = step
            changed.factors.authenticatorApp?.lastUsed = now
        }
    }

    /// Uses a recovery code, and informs the owner.
    private func useRecoveryCode(
        _ code: String,
        of account: Account,
        _ login: PendingLogin,
        _ client: ClientContext
    ) async throws -> Account? {
        let known = account.factors.recoveryCodes.first { code.hasPrefix($0.prefix) }
        let isRight = try await UnitOfWork.once("recoveryCode", [login.proof, code]) {
            let requester = Requester(address: client.address)
            return try await self.hasher.verify(code, known?.hash, for: requester)
        }
        guard isRight, let known else { return await failed(account, Failure.wrongRecoveryCode.rawValue, client) }
        let changed = try await change(account.id, .recoveryCodeUsed, informing: .recoveryCodeUsed, client) { changed in
            guard !changed.isDisabled, changed.passwordDigest == login.proof,
                let index = changed.factors.recoveryCodes.firstIndex(of: known)
            else { throw NothingToChange() }
            changed.factors.recoveryCodes.remove(at: index)
        }
        if let changed { return changed }
        return await failed(account, Failure.wrongRecoveryCode.rawValue, client)
    }

    /// Records a login that has failed.
    func failed<Result>(_ account: Account?, _ reason: String, _ client: ClientContext) async -> Result? {
        await record(.loginFailed, account?.id, reason: reason, client)
        return nil
    }

    private func finish(_ account: Account, _ factor: String, _ client: ClientContext) async -> User {
        giveBack(rateLimits.failedLogins, client)
        await record(.login, account.id, reason: factor, client)
        return account.user
    }
}

extension AccountID {
    /// What the passkeys of the account return at a login.
    var handle: [UInt8] { Array(text.utf8) }
}
