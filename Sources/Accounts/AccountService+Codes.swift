public import BundledControllers
public import BusinessLogic
import SessionStorage

extension AccountService: AccountManaging {
    /// The maximum number of mails with codes to one address in ``codeWindow``, and of mails about changes.
    static let codesPerAddress = 5
    static let codeWindow = Duration.seconds(3600)

    /// Sends a code of eight digits to an address.
    ///
    /// Whether a mail is sent shows neither in the result nor in the work: one code is hashed, one account is read, and two writes are
    /// committed, of which the second is a mail that may be discarded. At most five mails with codes are sent to an address in an hour.
    ///
    /// The mail goes to the address of the account, however the client has written it: two addresses with the same ``AccountKey`` may be two
    /// mailboxes. Only a new address for an account is used as it was written.
    ///
    /// - Returns: the salted hash of the code (Argon2id); if the code was not sent, one for which no code is right, so that each guess takes a
    ///   mail.
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` if the client's address has asked for too many codes;
    ///   `.overloaded` and `.unavailable` if no code can be sent now.
    public func sendCode(
        _ purpose: PendingCode.Purpose,
        to email: String,
        for client: ClientContext
    ) async throws -> String {
        try AccountText.email.check(email)
        // If the event runs again, the code is the same, and nothing is counted twice.
        let (code, hash) = try await UnitOfWork.once("sendCode", [purpose.rawValue, email]) {
            try take(rateLimits.codes, client)
            return try await self.newCode(for: client)
        }
        let account = try await store.account(email: AccountKey(email))
        let content = Self.content(purpose, code, account, client)
        let isNew = purpose == .change && content?.code != nil
        let isSent = try await send(content, to: isNew ? email : account?.email ?? email, of: account, client)
        let sent = isSent ? hash : Self.unmatched(hash)
        return purpose == .reset ? Self.bound(sent, to: account) : sent
    }

    /// The hash of a code that can change a password, with the account and its password, because the code ends when that is changed.
    private static func bound(_ hash: String, to account: Account?) -> String {
        "\(hash) \(account?.passwordDigest ?? randomBytes(16).hexadecimalDigits) \(account?.id ?? .random())"
    }

    /// Whether the password to which a code is bound is still that of the account.
    private func isCurrent(_ binding: ArraySlice<String>) async throws -> Bool {
        guard let digest = binding.first, let id = binding.last else { return true }
        return try await store.account(AccountID(id))?.passwordDigest == digest
    }

    /// A hash for which no code is right. To check one takes the same time.
    static func unmatched(_ hash: String) -> String { "!" + hash }

    /// What the mail to an address says; `nil` if it gets none.
    private static func content(
        _ purpose: PendingCode.Purpose,
        _ code: String,
        _ account: Account?,
        _ client: ClientContext
    ) -> MailContent? {
        let isOwn = account != nil && account?.id.text == client.user?.id
        switch purpose {
        case .reset: return account?.isDisabled == false ? .resetCode(code) : nil
        case .confirm:
            guard let account else { return nil }
            return isOwn || account.isUnconfirmed ? .confirmationCode(code) : .addressIsTaken
        case .change:
            if client.user?.id == nil { return nil }
            return account == nil || isOwn ? .confirmationCode(code) : .addressIsTaken
        }
    }

    func newCode(for client: ClientContext) async throws -> (code: String, hash: String) {
        var generator = SystemRandomNumberGenerator()
        let code = String(Int.random(in: 100_000_000...199_999_999, using: &generator)).dropFirst()
        let hash = try await hasher.hash(String(code), for: Requester(address: client.address))
        return (String(code), hash)
    }

    /// Sends a mail with a code, unless the address got too many. Otherwise, adds one to the outbox that is discarded, for the same work.
    /// Returns whether a code was sent.
    func send(
        _ content: MailContent?,
        to email: String,
        of account: Account?,
        _ client: ClientContext
    ) async throws -> Bool {
        let now = clock.now
        let isAllowed = try await UnitOfWork.once("countCode", [email]) {
            try await store.update(.codes(to: AccountKey(email))) { count in
                Self.admit(&count, at: now, Self.codesPerAddress, in: Self.codeWindow)
            }
        }
        let isSent = isAllowed && content != nil
        guard let mail else { return false }
        try await mail.outbox.add(
            mail.writer.mail(
                content ?? .confirmationCode("00000000"),
                to: email,
                language: client.language,
                expires: isSent ? now + PendingCode.lifetime : now
            )
        )
        if isSent { await record(.codeSent, account?.id, client) }
        return isSent && content?.code != nil
    }

    /// Counts something of which there may be at most `maximum` in a time, unless there were as many.
    private static func admit(
        _ count: inout FailureCount,
        at now: Timestamp,
        _ maximum: Int,
        in window: Duration
    ) -> Bool {
        if let start = count.lastFailure, now < start + window {
            // A later start is that of another server whose clock is ahead, or the clock was set back.
            count.lastFailure = min(start, now)
            guard count.failures < maximum else {
                count.refused = count.refused.addingSaturated(1)
                return false
            }
            count.failures += 1
            return true
        }
        count = FailureCount(failures: 1, lastFailure: now)
        return true
    }

    /// Whether a code is the one with that hash. A wrong one counts as a failed login of the client's address. Only one of the first five codes
    /// for a hash can be right: they are counted here, because the count in the session is undone with an event that fails.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` if too many logins and codes of the client's address were
    ///   wrong; `.overloaded` and `.unavailable` if the code cannot be checked now.
    public func isRight(_ code: String, hash: String, for client: ClientContext) async throws -> Bool {
        try await UnitOfWork.once("isRight", [code, hash]) {
            try take(rateLimits.failedLogins, client)
            let isRight: Bool
            do {
                let now = clock.now
                let isAdmitted = try await store.update(.codeAttempts(hash)) {
                    Self.admit(&$0, at: now, PendingCode.maximumAttempts, in: PendingCode.lifetime)
                }
                // The ID of an imported account may contain spaces.
                let parts = hash.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2).map { String(Substring($0)) }
                let isCurrent = try await isCurrent(parts.dropFirst())
                let verified = try await hasher.verify(code, parts.first, for: Requester(address: client.address))
                isRight = isAdmitted && isCurrent && verified
            } catch {
                giveBack(rateLimits.failedLogins, client)
                throw error
            }
            if isRight { giveBack(rateLimits.failedLogins, client) } else { await record(.codeFailed, nil, client) }
            return isRight
        }
    }

    // MARK: Passwords

    /// Changes the password of the account with an address, confirms the address, and ends all sessions and devices.
    ///
    /// - Returns: `false` if no account has the address, or if the account is disabled.
    /// - Throws: ``AccountTextError``; ``/BusinessLogic/CollaboratorError``.
    public func resetPassword(
        _ password: String,
        ofAccountWith email: String,
        for client: ClientContext
    ) async throws -> Bool {
        let account = try await store.account(email: AccountKey(email))
        guard let account, !account.isDisabled,
            try await setPassword(password, of: account, .passwordReset, confirming: email, client)
        else { return false }
        try await store.reset(.account(account.id))
        return true
    }

    /// Changes a password, ends the sessions, and informs the owner. The account must still have the address `confirmed`, which is then
    /// confirmed; `nil` for no condition. Returns `false` if it does not, or has just been deleted or disabled.
    func setPassword(
        _ password: String,
        of account: Account,
        _ reason: AuditEvent.Change,
        confirming confirmed: String? = nil,
        _ client: ClientContext
    ) async throws -> Bool {
        try AccountText.password.check(password)
        let hash = try await UnitOfWork.once("setPassword", [password]) {
            try await hasher.hash(password, for: Requester(address: client.address))
        }
        let now = clock.now
        return try await change(
            account.id,
            reason,
            informing: .passwordChanged,
            revokingSessions: true,
            client
        ) { account in
            let hasAddress = confirmed.map { AccountKey($0) == AccountKey(account.email) } ?? true
            guard hasAddress, !account.isDisabled else { throw NothingToChange() }
            account.passwordHash = hash
            if confirmed != nil, account.emailConfirmed == nil { account.emailConfirmed = now }
        } != nil
    }

    /// Adds a mail about a change to the outbox, unless the account's address was never confirmed, so that it may belong to another person, or
    /// got as many of them as it may get codes. They count apart from codes, which anyone can ask for.
    func inform(_ account: Account, _ content: MailContent, _ client: ClientContext) async throws {
        guard let mail, account.emailConfirmed != nil else { return }
        // The counts of a deleted account are gone, and it gets no other mail.
        if content != .accountDeleted {
            let now = clock.now
            // Apart, so that others do not hide these.
            let isOfAccess = [.passwordChanged, .addressChanged].contains(content)
            let isAllowed = try await UnitOfWork.once("countNotice", [account.email, content.subject.code]) {
                try await store.update(.notices(account.id, ofAccess: isOfAccess)) {
                    Self.admit(&$0, at: now, Self.codesPerAddress, in: Self.codeWindow)
                }
            }
            guard isAllowed else { return }
        }
        try await mail.outbox.add(mail.writer.mail(content, to: account.email, language: client.language, expires: nil))
    }

    // MARK: Addresses

    public func email(of client: ClientContext) async throws -> String? { try await account(of: client)?.email }

    func account(of client: ClientContext) async throws -> Account? {
        guard let id = client.user?.id else { return nil }
        return try await store.account(AccountID(id))
    }

    /// Confirms the address for which a code was sent, or makes it the address of the client's account.
    ///
    /// - Returns: the user of the account; `nil` if no account can get the address.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func confirm(_ code: PendingCode, for client: ClientContext) async throws -> User? {
        switch code.purpose {
        case .reset: nil
        case .confirm: try await confirmAddress(code, client)
        case .change: try await changeAddress(to: code.email, client)
        }
    }

    private func confirmAddress(_ code: PendingCode, _ client: ClientContext) async throws -> User? {
        let account = try await store.account(email: AccountKey(code.email))
        guard let account, !account.isDisabled else { return nil }
        let isOwn = account.id.text == client.user?.id
        // The owner of an account that is confirmed already must log in.
        // Who has lost the factors of an unconfirmed account from an import needs its operator.
        guard isOwn || account.isUnconfirmed && account.factors.isEmpty else { return nil }
        let now = clock.now
        let isSameSignup = code.signup == account.passwordDigest
        let isRevoked = !isOwn && !isSameSignup
        return try await change(account.id, .emailConfirmed, revokingSessions: isRevoked, client) { account in
            let hasAddress = AccountKey(account.email) == AccountKey(code.email)
            guard hasAddress, isOwn || account.isUnconfirmed else { throw NothingToChange() }
            account.emailConfirmed = now
            // Without the password of another sign-up, which is perhaps an attacker's, and may have set it just now.
            if account.isUnconfirmed { account.confirmPassword(keeping: code.signup == account.passwordDigest) }
        }?.user
    }

    private func changeAddress(to email: String, _ client: ClientContext) async throws -> User? {
        guard let account = try await account(of: client), !account.isDisabled else { return nil }
        let now = clock.now
        // The sessions have the name for logging in, which another person could have from now on.
        let changesName = AccountKey(account.username) == AccountKey(account.email) && account.username != email
        do {
            let changed = try await change(account.id, .email, revokingSessions: changesName, client) { account in
                if AccountKey(account.username) == AccountKey(account.email) { account.username = email }
                account.email = email
                account.emailConfirmed = now
            }
            guard let changed else { return nil }
            if AccountKey(account.email) != AccountKey(email) { try await inform(account, .addressChanged, client) }
            return changed.user
        } catch is AccountConflict {
            return nil
        }
    }
}
