public import BundledControllers
public import BusinessLogic
import SessionStorage

extension AccountService: FactorManaging {
    public func factors(of client: ClientContext) async throws -> AccountFactors? {
        guard let account = try await account(of: client) else { return nil }
        return account.factors.shown(needsConfirmation: needsConfirmation(account))
    }

    public func perform(_ action: FactorAction, for client: ClientContext) async throws -> FactorChange? {
        switch action {
        case .addPasskey(let response, let name, let challenge):
            try await addPasskey(response, named: name, challenge: challenge, for: client)
        case .addAuthenticatorApp(let secret, let code):
            try await addApp(secret: secret, code: code, for: client)
        case .createRecoveryCodes: try await newRecoveryCodes(for: client)
        case .removePasskey(let id): try await remove(.passkey(id), for: client)
        case .removeAuthenticatorApp: try await remove(.authenticatorApp, for: client)
        }
    }

    /// Whether another person may have signed up with the address. Without mails, no code can confirm it or reset the password.
    private func needsConfirmation(_ account: Account) -> Bool { mail != nil && account.emailConfirmed == nil }

    /// Adds a factor, unless the address must be confirmed first.
    private func add(
        for client: ClientContext,
        _ reason: AuditEvent.Change,
        _ add: @escaping @Sendable (inout Factors) throws -> Void
    ) async throws -> FactorChange? {
        guard let account = try await account(of: client), !needsConfirmation(account) else { return nil }
        return try await change(of: client, reason, .factorAdded, createsCodes: true, add)
    }

    // MARK: Passkeys

    public func passkeyCreation(for client: ClientContext) async throws -> Value? {
        guard let relyingParty, let account = try await account(of: client),
            (1...64).contains(account.id.handle.count),
            account.factors.passkeys.count < Factors.maximumPasskeys
        else { return nil }
        let challenge = try await UnitOfWork.once("passkeyCreation", []) { RelyingParty.challenge() }
        return relyingParty.creationOptions(
            challenge: challenge,
            handle: account.id.handle,
            name: account.username,
            displayName: account.name,
            excluding: account.factors.passkeys.map(\.passkey.id)
        )
    }

    private func addPasskey(
        _ response: String,
        named name: String,
        challenge: String,
        for client: ClientContext
    ) async throws -> FactorChange? {
        guard let relyingParty, let challenge = [UInt8](base64URL: challenge),
            let response = try? JSONReader.read(Array(response.utf8)),
            let passkey = try? relyingParty.passkey(from: response, challenge: challenge)
        else { return nil }
        let name = String(name.unicodeScalars.prefix(AccountPasskey.maximumName))
        let added = AccountPasskey(passkey, name: name, created: clock.now)
        do {
            return try await add(for: client, .passkeyAdded) { factors in
                guard factors.passkeys.count < Factors.maximumPasskeys else { throw NothingToChange() }
                // Of this account; the store finds that of another one.
                if factors.passkeys.contains(where: { $0.passkey.id == passkey.id }) { throw NothingToChange() }
                factors.passkeys.append(added)
            }
        } catch is AccountConflict {
            return nil
        }
    }

    // MARK: Authenticator apps

    public func newAuthenticatorApp(for client: ClientContext) async throws -> NewAuthenticatorApp? {
        guard let account = try await account(of: client) else { return nil }
        let bytes = try await UnitOfWork.once("authenticatorApp", []) { OneTimeCodeSecret.random().bytes }
        let secret = OneTimeCodeSecret(bytes: bytes)
        // Base64 would be longer.
        let picture = (secret.qrCode(of: account.username, issuer: siteName) ?? "").replacing("\"", with: "'")
            .percentEncoded { !"<>% #".utf8.contains($0) }
        return NewAuthenticatorApp(
            secret: bytes.base64URL,
            text: secret.text,
            address: secret.address(of: account.username, issuer: siteName),
            qrCode: "data:image/svg+xml,\(picture)"
        )
    }

    private func addApp(secret: String, code: String, for client: ClientContext) async throws -> FactorChange? {
        let now = clock.now
        guard let bytes = [UInt8](base64URL: secret),
            let step = OneTimeCodeSecret(bytes: bytes).step(of: code, at: now)
        else { return nil }
        // The code that has confirmed the app completes no login.
        let app = AuthenticatorApp(secret: secret, created: now, lastStep: step)
        return try await add(for: client, .authenticatorAppAdded) { factors in
            factors.authenticatorApp = app
        }
    }

    // MARK: Recovery codes

    private func newRecoveryCodes(for client: ClientContext) async throws -> FactorChange? {
        try await change(of: client, .recoveryCodesCreated, .factorAdded, createsCodes: true) { factors in
            if factors.isEmpty { throw NothingToChange() }
            factors.recoveryCodes = []
        }
    }

    private func remove(_ factor: RemovedFactor, for client: ClientContext) async throws -> FactorChange? {
        try await change(of: client, factor.change, .factorRemoved, createsCodes: false) { factors in
            guard factors.remove(factor) else { throw NothingToChange() }
        }
    }

    public func endOtherSessions(for client: ClientContext) async throws {
        guard let user = client.user?.id, let sessions else { return }
        for session in try await sessions.sessions(ofUser: user) where session.session != client.session {
            _ = try await sessions.endSession(session.session, ofUser: user)
        }
        await record(change: .otherSessionsEnded, AccountID(user), client)
    }

    /// Changes the factors of the client's account, and informs the owner. With `createsCodes`, an account with factors and no recovery codes
    /// gets some. Returns `nil` if no user with an account is logged in, or if `change` throws ``NothingToChange``.
    private func change(
        of client: ClientContext,
        _ reason: AuditEvent.Change,
        _ content: MailContent,
        createsCodes: Bool,
        _ change: @escaping @Sendable (inout Factors) throws -> Void
    ) async throws -> FactorChange? {
        guard let account = try await account(of: client) else { return nil }
        var factors = account.factors
        do { try change(&factors) } catch is NothingToChange { return nil }
        let codes = createsCodes && factors.recoveryCodes.isEmpty ? try await newCodes(for: client) : []
        let changed = try await self.change(account.id, reason, informing: content, client) { account in
            guard !account.isDisabled else { throw NothingToChange() }
            try change(&account.factors)
            if account.factors.recoveryCodes.isEmpty { account.factors.recoveryCodes = codes.map(\.stored) }
        }
        guard let changed else { return nil }
        // Not if another session has just created some.
        let areStored = changed.factors.recoveryCodes == codes.map(\.stored)
        return FactorChange(
            factors: changed.factors.shown(needsConfirmation: needsConfirmation(changed)),
            recoveryCodes: areStored ? codes.map { RecoveryCodes.shown($0.code) } : []
        )
    }

    private func newCodes(for client: ClientContext) async throws -> [(code: String, stored: RecoveryCode)] {
        try await UnitOfWork.once("recoveryCodes", []) {
            // Ten hashes are computed.
            try self.take(self.rateLimits.logins, client)
            let requester = Requester(address: client.address)
            var codes: [(code: String, stored: RecoveryCode)] = []
            for code in RecoveryCodes.random() {
                let hash = try await self.hasher.hash(code, for: requester)
                let prefix = String(code.prefix(RecoveryCodes.prefixLength))
                codes.append((code, RecoveryCode(prefix: prefix, hash: hash)))
            }
            return codes
        }
    }
}

/// Methods for an operator.
extension AccountService {
    package enum RemovedFactor: Sendable {
        /// A passkey, by its ``/BundledControllers/AccountPasskeyDetails/id``.
        case passkey(String)
        case authenticatorApp
        /// All factors, with the recovery codes.
        case all

        /// What the audit log says.
        fileprivate var change: AuditEvent.Change {
            switch self {
            case .passkey: .passkeyRemoved
            case .authenticatorApp: .authenticatorAppRemoved
            case .all: .factorsRemoved
            }
        }
    }

    /// Removes a factor of an account, because its user has lost it. Revokes the account's sessions, and informs the owner. Returns `false`
    /// if there is no such account or factor.
    package func remove(_ factor: RemovedFactor, of id: AccountID) async throws -> Bool {
        try await change(id, factor.change, informing: .factorRemoved, revokingSessions: true) { account in
            guard account.factors.remove(factor) else { throw NothingToChange() }
        } != nil
    }
}

extension Factors {
    /// The factors as their user sees them.
    package func shown(needsConfirmation: Bool = false) -> AccountFactors {
        AccountFactors(
            passkeys: passkeys.map { passkey in
                AccountPasskeyDetails(
                    id: passkey.shownID,
                    name: passkey.name,
                    created: passkey.created,
                    lastUsed: passkey.lastUsed
                )
            },
            authenticatorApp: authenticatorApp.map {
                AuthenticatorAppDetails(created: $0.created, lastUsed: $0.lastUsed)
            },
            recoveryCodes: recoveryCodes.count,
            needsConfirmation: needsConfirmation
        )
    }

    /// Removes a factor. The recovery codes end with the last other one. Returns `false` if there is no such factor.
    fileprivate mutating func remove(_ factor: AccountService.RemovedFactor) -> Bool {
        let before = self
        switch factor {
        case .passkey(let id): passkeys.removeAll { $0.shownID == id }
        case .authenticatorApp: authenticatorApp = nil
        case .all: self = Factors()
        }
        guard self != before else { return false }
        if isEmpty { recoveryCodes = [] }
        return true
    }
}

extension AccountPasskey {
    /// The beginning of the key in hexadecimal digits, which identifies it among those of an account.
    fileprivate var shownID: String { passkey.key.prefix(16).hexadecimalDigits }
}
