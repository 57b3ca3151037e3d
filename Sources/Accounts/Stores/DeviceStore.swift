public import BusinessLogic

/// A database of accounts and of the devices on which their users have logged in.
///
/// Its methods may be called from any number of tasks at the same time, and several processes may share one database. If the store is
/// temporarily unavailable, its methods throw ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
///
/// When a store revokes the sessions of an account or removes the account, it removes the account's devices in the same step.
public protocol DeviceStore: AccountStore {
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
    func addDevice(
        _ device: Device,
        replacing replaced: DeviceKey?,
        limit: Int,
        at now: Timestamp
    ) async throws -> Bool

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
}
