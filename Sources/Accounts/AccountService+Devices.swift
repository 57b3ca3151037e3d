public import BusinessLogic

extension AccountService {
    /// How long the token of a device works: 400 days, because browsers keep no cookie for longer.
    static let deviceLifetime = Duration.seconds(400 * 86_400)
    /// The maximum number of devices of an account.
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
        let device = Device(
            key: DeviceKey(token: token),
            account: AccountID(id),
            expires: now + Self.deviceLifetime
        )
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
        guard let device, device.account == account?.id, clock.now < device.expires else { return nil }
        return device.failures < Self.freeFailuresOfDevice ? device.key : nil
    }

    /// Counts a failure of a device.
    ///
    /// - Returns: `nil`, without counting it, if five failures in a row have been counted already.
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
