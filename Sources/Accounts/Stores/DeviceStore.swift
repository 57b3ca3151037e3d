public import BusinessLogic

/// Keeps the devices on which users have logged in. Used from any number of tasks at once, and from several processes on one
/// database.
///
/// Devices belong to accounts. In the same step in which a store ends the sessions of an account or removes the account, it
/// removes the devices of that account.
///
/// If the store cannot do its work now, its methods throw
/// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
public protocol DeviceStore: AccountStore {
    /// Finds a device; also one that has expired, until it is removed.
    ///
    /// - Returns: the device; `nil` if there is no device of that key.
    func device(_ key: DeviceKey) async throws -> Device?

    /// Adds a device in place of another one, as one step. The same step removes devices that are over the limit, and
    /// devices that have expired, at most a hundred of them.
    ///
    /// - Parameters:
    ///   - device: the device. If there is one of its key, it takes that one's place.
    ///   - replaced: the key of the device that it replaces, of whichever account; `nil` if it replaces none.
    ///   - limit: how many devices an account may have, at least 1. If it has more, those that expire first are removed.
    ///   - now: the time at which devices may have expired.
    /// - Returns: `false` if the account does not exist or is disabled. Nothing has changed then.
    func addDevice(
        _ device: Device,
        replacing replaced: DeviceKey?,
        limit: Int,
        at now: Timestamp
    ) async throws -> Bool

    /// Changes the number of failed logins of a device as one step: no other change comes between. When this returns, the
    /// change is kept for good.
    ///
    /// - Parameters:
    ///   - key: the device.
    ///   - change: is called at most once.
    /// - Returns: what `change` returns; `nil` if there is no device of that key.
    func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @Sendable (inout Int) -> Result
    ) async throws -> Result?
}

/// A device on which a user has logged in: a browser, or an app. It shows so by a secret, its token.
public struct Device: Equatable, Sendable {
    /// The hash of its token.
    public let key: DeviceKey
    /// The account that the user logged in to.
    public let account: AccountID
    /// How many logins from the device have failed since the last one that succeeded, including those whose password is
    /// being verified.
    public var failures: Int
    /// When its token stops working.
    public let expires: Timestamp

    /// A device.
    public init(key: DeviceKey, account: AccountID, failures: Int = 0, expires: Timestamp) {
        self.key = key
        self.account = account
        self.failures = failures
        self.expires = expires
    }
}
