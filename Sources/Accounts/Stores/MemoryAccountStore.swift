public import BusinessLogic
internal import Synchronization

/// A store of accounts and devices in memory, for tests and demonstrations. Its contents end with the store. It is never
/// unavailable. Reading a page of accounts sorts all accounts.
public final class MemoryAccountStore: AccountStore {
    private let contents = Mutex(Contents())

    /// An empty store.
    public init() {}

    /// A function that makes the store contain what it contains now.
    package func saved() -> @Sendable () -> Void {
        let saved = contents.withLock { $0 }
        return { [self] in contents.withLock { $0 = saved } }
    }

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

    public func accounts(after key: [UInt8]?, limit: Int) async throws -> [Account] {
        contents.withLock { contents in
            contents.usernames
                .filter { entry in key?.lexicographicallyPrecedes(entry.key.text.utf8) ?? true }
                .sorted { $0.key < $1.key }
                .prefix(max(limit, 0))
                .compactMap { contents.accounts[$0.value] }
        }
    }

    @discardableResult
    public func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @escaping @Sendable (inout Account) throws -> Void
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
            if revokingSessions { contents.revokeSessions(id) }
            return changed
        }
    }

    public func remove(_ id: AccountID) async throws -> Bool {
        contents.withLock { contents in
            guard let account = contents.accounts[id] else { return false }
            contents.delete(account)
            contents.revokeSessions(id)
            return true
        }
    }

    public func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        contents.withLock { contents in
            contents.revocations
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

    public func devices(of account: AccountID) async throws -> [Device] {
        contents.withLock { contents in contents.devices.values.filter { $0.account == account } }
    }

    public func removeDevice(_ key: DeviceKey) async throws {
        contents.withLock { $0.devices[key] = nil }
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
        _ change: @escaping @Sendable (inout Int) -> Result
    ) async throws -> Result? {
        contents.withLock { contents in
            guard var device = contents.devices[key] else { return nil }
            let result = change(&device.failures)
            contents.devices[key] = device
            return result
        }
    }
}

/// The accounts with their indexes, and the devices.
private struct Contents {
    private(set) var accounts: [AccountID: Account] = [:]
    private(set) var emails: [AccountKey: AccountID] = [:]
    private(set) var usernames: [AccountKey: AccountID] = [:]
    private var userIDs: [String: AccountID] = [:]
    private var passkeys: Set<PasskeyKey> = []
    /// The number of each account's latest revocation.
    private(set) var revocations: [AccountID: Int] = [:]
    private var lastRevocation = 0
    var devices: [DeviceKey: Device] = [:]

    /// Adds an account, or throws and adds nothing.
    mutating func insert(_ account: Account) throws(AccountConflict) {
        let taken = AccountConflict.properties(of: account).first { property in
            switch property {
            case .id(let id): accounts[id] != nil
            case .email(let email): emails[email] != nil
            case .username(let username): usernames[username] != nil
            case .userID(let userID): userIDs[userID] != nil
            case .passkey(let passkey): passkeys.contains(passkey)
            }
        }
        if let taken { throw taken.conflict }
        accounts[account.id] = account
        emails[AccountKey(account.email)] = account.id
        usernames[AccountKey(account.username)] = account.id
        if let userID = account.userID { userIDs[userID] = account.id }
        passkeys.formUnion(account.passkeyKeys)
    }

    mutating func delete(_ account: Account) {
        accounts[account.id] = nil
        emails[AccountKey(account.email)] = nil
        usernames[AccountKey(account.username)] = nil
        if let userID = account.userID { userIDs[userID] = nil }
        passkeys.subtract(account.passkeyKeys)
    }

    mutating func revokeSessions(_ id: AccountID) {
        lastRevocation += 1
        revocations[id] = lastRevocation
        devices = devices.filter { $0.value.account != id }
    }
}
