public import BundledControllers
public import BusinessLogic
import SessionStorage

extension AccountService {
    /// The data of the client's account; `nil` if no user with an account is logged in.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func details(of client: ClientContext) async throws -> AccountDetails? {
        guard let account = try await account(of: client), !account.isDisabled else { return nil }
        let now = clock.now
        let known = try await store.devices(of: account.id).filter { now < $0.expires }.sorted {
            $0.expires > $1.expires
        }
        return AccountDetails(
            name: account.name,
            username: account.username,
            email: account.email,
            emailConfirmed: account.emailConfirmed,
            userID: account.userID,
            contactEmail: account.contactEmail,
            created: account.created,
            devices: known.filter { $0.agent == nil }.map {
                AccountDevice(id: $0.key.shown, lastLogin: $0.expires - Self.deviceLifetime)
            },
            agents: known.compactMap(\.accountAgent)
        )
    }

    /// Changes the password of the client's account, ends its sessions and devices, and informs its owner.
    ///
    /// - Throws: ``AccountTextError``; ``/BusinessLogic/CollaboratorError``.
    public func changePassword(to password: String, for client: ClientContext) async throws {
        guard let account = try await account(of: client) else { return }
        _ = try await setPassword(password, of: account, .password, client)
    }

    /// Ends all sessions and devices of the client's account.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func endSessions(for client: ClientContext) async throws {
        guard let account = try await account(of: client) else { return }
        _ = try await change(account.id, .sessionsEnded, revokingSessions: true, client) { _ in }
    }

    /// The sessions in which the client's user is logged in; none before ``connect(to:)``.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func sessions(of client: ClientContext) async throws -> AccountSessions {
        guard let user = client.user?.id, let sessions else { return AccountSessions([]) }
        let found = try await sessions.sessions(ofUser: user).map { session in
            AccountSession(
                id: "\(session.session)",
                started: session.created,
                lastUsed: session.lastUsed,
                browser: session.browser,
                isCurrent: session.session == client.session
            )
        }
        return AccountSessions(found)
    }

    /// Ends a session of the client's account.
    ///
    /// - Returns: `false` if the account has no such session, also if it is the client's own: its user logs out instead.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func endSession(_ id: String, for client: ClientContext) async throws -> Bool {
        guard let user = client.user?.id, let sessions, let session = SessionID(id), session != client.session,
            try await sessions.endSession(session, ofUser: user)
        else { return false }
        await record(change: .sessionEnded, AccountID(user), client)
        return true
    }

    /// Forgets a device of the client's account, or ends an agent.
    ///
    /// - Returns: `false` if the account has no such device or agent.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func endDevice(_ id: String, for client: ClientContext) async throws -> Bool {
        guard let account = try await account(of: client) else { return false }
        let device = try await store.devices(of: account.id).first { $0.key.shown == id }
        guard let device else { return false }
        try await store.removeDevice(device.key)
        let change: AuditEvent.Change = device.agent == nil ? .deviceEnded : .agentEnded
        let agent = device.accountAgent?.id
        await record(.accountChanged, account.id, reason: change.rawValue, agent: agent, client)
        return true
    }

    /// Deletes the client's account, ends its sessions and devices, and informs its owner.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func deleteAccount(for client: ClientContext) async throws {
        guard let account = try await account(of: client), try await store.remove(account.id) else { return }
        await record(.accountDeleted, account.id, client)
        try await inform(account, .accountDeleted, client)
    }
}

extension DeviceKey {
    /// The beginning of the key in hexadecimal digits, which identifies it among those of an account.
    var shown: String { bytes.prefix(16).hexadecimalDigits }
}

extension AccountService {
    /// How long the token of a device works: 400 days, because browsers keep no cookie for longer.
    static let deviceLifetime = Duration.seconds(400 * 86_400)
    static let devicesPerAccount = 20
    /// The number of failed logins in a row from one device without consequences. Time does not reset the count.
    static let freeFailuresOfDevice = 5

    /// A new token for the device on which a user has just logged in. It replaces the token that the device presented.
    ///
    /// The client must keep the token secret, even after a logout, and present it as
    /// ``/BusinessLogic/ClientContext/deviceToken``. Then its user can log in while an attacker guesses the password of the
    /// account (OWASP, "device cookies"). The token works for 400 days, until the next login from the device, or until the
    /// sessions of the account are revoked. An account has at most twenty devices. If it gets another one, the oldest token
    /// stops working.
    ///
    /// - Parameters:
    ///   - user: the user who has logged in.
    ///   - client: the client, with the token that it presented.
    /// - Returns: 48 hexadecimal digits. `nil` if the user has no account, or if the account is disabled.
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``. Then the presented token still works.
    @Sendable public func issueDeviceToken(to user: User, _ client: ClientContext) async throws -> String? {
        guard let id = user.id else { return nil }
        let token = randomBytes(24).hexadecimalDigits
        let now = clock.now
        let device = Device(key: DeviceKey(token: token), account: AccountID(id), expires: now + Self.deviceLifetime)
        let isAdded = try await store.addDevice(
            device,
            replacing: client.deviceToken.map { DeviceKey(token: $0) },
            limit: Self.devicesPerAccount,
            at: now
        )
        return isAdded ? token : nil
    }

    /// The key of the client's device, if the device belongs to the account and may still try a password.
    ///
    /// Reads the device whenever the client presents a token, so that the attempt takes the same work for any account.
    func knownDevice(_ client: ClientContext, of account: Account?) async throws -> DeviceKey? {
        guard let token = client.deviceToken else { return nil }
        let device = try await store.device(DeviceKey(token: token))
        guard let device, device.agent == nil, device.account == account?.id, clock.now < device.expires else {
            return nil
        }
        return device.failures < Self.freeFailuresOfDevice ? device.key : nil
    }

    /// Counts a failure of a device. Returns `nil`, without counting it, if five failures in a row have been counted already.
    func countFailure(of device: DeviceKey) async throws -> CountedAttempt? {
        let now = clock.now
        let number = try await store.updateFailures(of: device) { failures -> Int? in
            guard failures < Self.freeFailuresOfDevice else { return nil }
            failures += 1
            return failures
        }
        return number.flatMap { $0 }.map { CountedAttempt(counter: .device(device), number: $0, time: now) }
    }
}
