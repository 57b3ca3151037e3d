public import BusinessLogic
internal import Synchronization

/// Keeps accounts and devices in the memory of the process: for tests and demonstrations. Nothing outlives the process, and a page of
/// accounts costs a look at all of them.
///
/// Safe to use from any number of tasks at once. It is never unavailable.
public final class MemoryAccountStore: AccountStore {
    private let contents = Mutex(Contents())

    /// A store without accounts.
    public init() {}

    /// Adds accounts, all or none.
    ///
    /// - Throws: ``AccountConflict``; an id that is taken counts as an email address that is.
    public func add(_ accounts: [Account]) async throws {
        try contents.withLock { contents in
            for (index, account) in accounts.enumerated() {
                do {
                    try contents.insert(account)
                } catch {
                    for added in accounts.prefix(index) { contents.delete(added) }
                    throw error
                }
            }
        }
    }

    public func account(_ id: AccountID) async throws -> Account? {
        contents.withLock { $0.accounts[id] }
    }

    public func account(username: AccountKey) async throws -> Account? {
        contents.withLock { contents in contents.usernames[username].flatMap { contents.accounts[$0] } }
    }

    public func account(email: AccountKey) async throws -> Account? {
        contents.withLock { contents in contents.emails[email].flatMap { contents.accounts[$0] } }
    }

    public func accounts(after username: AccountKey?, limit: Int) async throws -> [Account] {
        contents.withLock { contents in
            contents.usernames
                .filter { entry in username.map { $0 < entry.key } ?? true }
                .sorted { $0.key < $1.key }
                .prefix(max(limit, 0))
                .compactMap { contents.accounts[$0.value] }
        }
    }

    @discardableResult
    public func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        try contents.withLock { contents in
            guard let account = contents.accounts[id] else { return nil }
            let changed = try account.changed(by: change)
            contents.delete(account)
            do {
                try contents.insert(changed)
            } catch {
                try contents.insert(account)
                throw error
            }
            if revokingSessions { contents.endSessions(id) }
            return changed
        }
    }

    public func remove(_ id: AccountID) async throws -> Bool {
        contents.withLock { contents in
            guard let account = contents.accounts[id] else { return false }
            contents.delete(account)
            contents.endSessions(id)
            return true
        }
    }

    public func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        contents.withLock { contents in
            contents.endings
                .filter { $0.value > number }
                .sorted { $0.value < $1.value }
                .map { SessionRevocation(number: $0.value, account: $0.key) }
        }
    }
}

extension MemoryAccountStore: DeviceStore {
    public func device(_ key: DeviceKey) async throws -> Device? {
        contents.withLock { $0.devices[key] }
    }

    public func addDevice(
        _ device: Device,
        replacing replaced: DeviceKey?,
        limit: Int,
        at now: Timestamp
    ) async throws -> Bool {
        contents.withLock { contents in
            guard let account = contents.accounts[device.account], !account.isDisabled else { return false }
            if let replaced { contents.devices[replaced] = nil }
            contents.devices[device.key] = device
            contents.devices = contents.devices.filter { now < $0.value.expires }
            let others = contents.devices.values.filter { $0.account == device.account && $0.key != device.key }
            for other in others.sorted(by: { $0.expires > $1.expires }).dropFirst(max(0, limit - 1)) {
                contents.devices[other.key] = nil
            }
            return true
        }
    }

    public func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @Sendable (inout Int) -> Result
    ) async throws -> Result? {
        contents.withLock { contents in
            guard var device = contents.devices[key] else { return nil }
            let result = change(&device.failures)
            contents.devices[key] = device
            return result
        }
    }
}

/// The accounts, each under everything that it is looked for by.
private struct Contents {
    private(set) var accounts: [AccountID: Account] = [:]
    private(set) var emails: [AccountKey: AccountID] = [:]
    private(set) var usernames: [AccountKey: AccountID] = [:]
    private var userIDs: [String: AccountID] = [:]
    /// The number of each account's last ending.
    private(set) var endings: [AccountID: Int] = [:]
    private var lastEnding = 0
    var devices: [DeviceKey: Device] = [:]

    /// Adds an account, or throws and adds nothing.
    mutating func insert(_ account: Account) throws(AccountConflict) {
        let email = AccountKey(account.email)
        let username = AccountKey(account.username)
        guard emails[email] == nil, accounts[account.id] == nil else { throw .email }
        guard usernames[username] == nil else { throw .username }
        if let userID = account.userID {
            guard userIDs[userID] == nil else { throw .userID }
            userIDs[userID] = account.id
        }
        accounts[account.id] = account
        emails[email] = account.id
        usernames[username] = account.id
    }

    mutating func delete(_ account: Account) {
        accounts[account.id] = nil
        emails[AccountKey(account.email)] = nil
        usernames[AccountKey(account.username)] = nil
        if let userID = account.userID { userIDs[userID] = nil }
    }

    mutating func endSessions(_ id: AccountID) {
        lastEnding += 1
        endings[id] = lastEnding
        devices = devices.filter { $0.value.account != id }
    }
}

extension Account {
    /// The account after a change, whatever of it the change replaces: its id and when it was created stay.
    package func changed(by change: (inout Account) throws -> Void) rethrows -> Account {
        var changed = self
        try change(&changed)
        return Account(
            id: id,
            name: changed.name,
            email: changed.email,
            username: changed.username,
            userID: changed.userID,
            contactEmail: changed.contactEmail,
            passwordHash: changed.passwordHash,
            created: created,
            isDisabled: changed.isDisabled
        )
    }
}
