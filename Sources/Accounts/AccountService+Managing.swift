public import BundledControllers
public import BusinessLogic
internal import SessionStorage

extension AccountService {
    /// The data of the client's account; `nil` if no user with an account is logged in.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func details(of client: ClientContext) async throws -> AccountDetails? {
        guard let account = try await account(of: client), !account.isDisabled else { return nil }
        let now = clock.now
        let known = try await store.devices(of: account.id)
        let shown = known.filter { now < $0.expires }.sorted { $0.expires > $1.expires }.map {
            AccountDevice(id: $0.key.shown, lastLogin: $0.expires - Self.deviceLifetime)
        }
        return AccountDetails(
            name: account.name,
            username: account.username,
            email: account.email,
            emailConfirmed: account.emailConfirmed,
            userID: account.userID,
            contactEmail: account.contactEmail,
            created: account.created,
            devices: shown
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

    /// Forgets a device of the client's account.
    ///
    /// - Returns: `false` if the account has no such device.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func endDevice(_ id: String, for client: ClientContext) async throws -> Bool {
        guard let account = try await account(of: client) else { return false }
        let device = try await store.devices(of: account.id).first { $0.key.shown == id }
        guard let device else { return false }
        try await store.removeDevice(device.key)
        await record(change: .deviceEnded, account.id, client)
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
    fileprivate var shown: String {
        bytes.prefix(16).hexadecimalDigits
    }
}
