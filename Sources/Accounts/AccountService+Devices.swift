public import BusinessLogic

extension AccountService {
    /// How long the token of a device works: as long as browsers keep a cookie.
    static let deviceLifetime = Duration.seconds(400 * 86_400)
    /// How many devices an account has at most.
    static let devicesPerAccount = 20
    /// How many failed logins in a row from one device have no consequences. Their number does not decay.
    static let freeFailuresOfDevice = 5

    /// Issues a token to the device on which a user has just logged in, in place of the one that the device presented.
    ///
    /// The client keeps the token secret, also after a logout, and presents it as ``/BusinessLogic/ClientContext/deviceToken``.
    /// Then its user can log in while others guess the password of the account (OWASP, "device cookies"). It works for 400
    /// days, until the next login from the device, or until the sessions of the account are ended. An account has at most
    /// twenty devices. If it gets more, the token that was issued first stops working.
    ///
    /// - Parameters:
    ///   - user: the user who has logged in.
    ///   - client: the client, with the token that it presented.
    /// - Returns: the token, 48 hexadecimal digits. `nil` if the user has no account, or one that has been disabled, or if
    ///   the service has no store of devices.
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``. The token that was presented still works
    ///   then.
    @Sendable public func issueDeviceToken(to user: User, _ client: ClientContext) async throws -> String? {
        guard let devices, let id = user.id else { return nil }
        let token = DeviceToken.random()
        let now = clock.now
        let device = Device(
            key: try DeviceKey(token: token),
            account: AccountID(id),
            expires: now + Self.deviceLifetime
        )
        let isAdded = try await devices.addDevice(
            device,
            replacing: try client.deviceToken.map { try DeviceKey(token: $0) },
            limit: Self.devicesPerAccount,
            at: now
        )
        return isAdded ? token : nil
    }

    /// The key of the device that a client presents, if it is one of the account's that may still try a password.
    ///
    /// Looks for the device whenever a token is presented, whatever the account, so that an attempt takes the same work.
    func knownDevice(_ client: ClientContext, of account: Account?) async throws -> DeviceKey? {
        guard let devices, let token = client.deviceToken else { return nil }
        let device = try await devices.device(DeviceKey(token: token))
        guard let device, device.account == account?.id, clock.now < device.expires else { return nil }
        return device.failures < Self.freeFailuresOfDevice ? device.key : nil
    }

    /// Counts a failure of a device, unless five in a row have been counted.
    ///
    /// - Returns: whether it was counted.
    func countFailure(of device: DeviceKey) async throws -> Bool {
        try await devices?.updateFailures(of: device) { failures in
            guard failures < Self.freeFailuresOfDevice else { return false }
            failures += 1
            return true
        } ?? false
    }
}
