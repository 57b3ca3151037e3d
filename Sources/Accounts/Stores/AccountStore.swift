public import BusinessLogic

/// A database of accounts, of the devices on which their users have logged in, and of counts of failed logins.
///
/// Its methods may be called from any number of tasks at the same time, and several processes may share one database. When a method returns, its
/// changes are durable. If the store is temporarily unavailable, its methods throw
/// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
///
/// When a store revokes the sessions of an account or removes the account, it removes the account's devices in the same step.
public protocol AccountStore: Sendable {
    /// Adds all of the accounts, or none.
    ///
    /// - Throws: ``AccountConflict`` if another account, in the store or in the list, has the same email address, username,
    ///   user ID or passkey. An ID that is taken counts as an email address that is taken.
    func add(_ accounts: [Account]) async throws

    /// The account with that ID, or `nil`.
    func account(_ id: AccountID) async throws -> Account?

    /// The account with that username, or `nil`.
    func account(username: AccountKey) async throws -> Account?

    /// The account with that email address, or `nil`.
    func account(email: AccountKey) async throws -> Account?

    /// One page of the accounts, in the order of the keys of their usernames.
    ///
    /// - Parameters:
    ///   - key: the key after which the page begins: the ``Account/usernameKey`` of the last account of the page before; `nil` for the first page.
    ///   - limit: the maximum number of accounts. A negative limit counts as 0.
    func accounts(after key: [UInt8]?, limit: Int) async throws -> [Account]

    /// Changes an account atomically. Its ID and the time of its creation stay.
    ///
    /// - Parameters:
    ///   - id: the account.
    ///   - revokingSessions: whether to revoke the account's sessions, so that its user must log in again on all devices.
    ///   - change: is called at most once.
    /// - Returns: the changed account; `nil` if there is no account with that ID.
    /// - Throws: ``AccountConflict``, or what `change` throws. Then nothing has changed.
    @discardableResult
    func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account?

    /// Removes an account and revokes its sessions.
    ///
    /// - Returns: `false` if there is no account with that ID.
    func remove(_ id: AccountID) async throws -> Bool

    /// The latest revocation of each account, if its number is greater than `number`, in the order of the numbers.
    ///
    /// - Parameter number: the number of the last revocation that you know; 0 for all revocations.
    func sessionRevocations(after number: Int) async throws -> [SessionRevocation]

    // MARK: Devices

    /// The device with that key, even if it has expired; `nil` if there is no such device.
    func device(_ key: DeviceKey) async throws -> Device?

    /// The devices of an account, also expired ones.
    func devices(of account: AccountID) async throws -> [Device]

    /// Removes a device, if it exists. During an event whose changes are committed together, the store may defer this to the commit.
    func removeDevice(_ key: DeviceKey) async throws

    /// Adds a device and removes the one that it replaces, atomically. The same step removes devices that exceed the limit,
    /// and devices that have expired. If many have expired, a store may remove only a hundred of them.
    ///
    /// - Parameters:
    ///   - device: the device. It replaces a device with the same key.
    ///   - replaced: the key of the device to remove, of any account; `nil` to remove none.
    ///   - limit: the maximum number of devices of the account, at least 1. If there are more, those that expire first are
    ///     removed.
    ///   - now: the current time, by which devices expire.
    /// - Returns: `false` if the account does not exist or is disabled. Then nothing has changed.
    func addDevice(_ device: Device, replacing replaced: DeviceKey?, limit: Int, at now: Timestamp) async throws -> Bool

    /// Changes the number of failed logins of a device atomically. When this returns, the change is durable.
    ///
    /// - Parameters:
    ///   - key: the device.
    ///   - change: is called at most once.
    /// - Returns: what `change` returns; `nil` if there is no device with that key.
    func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @escaping @Sendable (inout Int) -> Result
    ) async throws -> Result?

    /// Sets the number of failed logins of a device to 0, if it exists. During an event whose changes are committed together, the store
    /// may defer this to the commit.
    func resetFailures(of key: DeviceKey) async throws

    // MARK: Failed logins

    /// Changes the count of a key atomically. When this returns, the change is durable.
    ///
    /// - Parameters:
    ///   - key: the account or name whose failures are counted.
    ///   - change: is called at most once. A key without a count starts with an empty one.
    /// - Returns: what `change` returns.
    func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @escaping @Sendable (inout FailureCount) -> Result
    ) async throws -> Result

    /// Sets the count of a key to an empty one. During an event whose changes are committed together, the store may defer this to the
    /// commit. All other changes are durable at once.
    func reset(_ key: ThrottleKey) async throws
}

extension AccountStore {
    /// Adds an account.
    ///
    /// - Throws: ``AccountConflict``.
    public func add(_ account: Account) async throws { try await add([account]) }
}

extension AccountStore {
    /// The account for a name that an operator types: its username, else its email address, else its ID.
    package func account(named name: String) async throws -> Account? {
        let key = AccountKey(name)
        if let account = try await account(username: key) { return account }
        if let account = try await account(email: key) { return account }
        return try await account(AccountID(name))
    }
}
