public import BusinessLogic
public import RateLimiting

/// The accounts of a service: checks credentials, creates accounts and saves what users register. It implements the
/// protocols of the bundled controllers' collaborators with your stores.
///
/// Its methods may be called from any number of tasks at once.
public final class AccountService: Sendable {
    let accounts: any AccountStore
    let throttles: any ThrottleStore
    let hasher: PasswordHasher
    let clock: any WallClock
    let audit: any AuditLog
    let logins: AddressLimit
    let failedLogins: AddressLimit
    let signups: AddressLimit
    let devices: (any DeviceStore)?

    /// A service with those stores and limits.
    ///
    /// - Parameters:
    ///   - accounts: stores the accounts.
    ///   - throttles: counts the failed logins of each account.
    ///   - devices: stores the devices on which users have logged in. It must be the same store as `accounts`, because it
    ///     removes the devices of an account together with the account's sessions. `nil` to treat all devices as unknown.
    ///   - hasher: hashes and verifies passwords.
    ///   - clock: gives the time for limits, delays and the expiry of devices.
    ///   - audit: records what happens to accounts.
    ///   - logins: limits the verified logins from one address, including successful ones.
    ///   - failedLogins: limits the failed logins from one address.
    ///   - signups: limits the sign-ups from one address.
    public init(
        accounts: any AccountStore,
        throttles: any ThrottleStore,
        devices: (any DeviceStore)? = nil,
        hasher: PasswordHasher,
        clock: any WallClock,
        audit: any AuditLog = NoAuditLog(),
        logins: AddressLimit = AddressLimit(Rate(300, per: .seconds(600))),
        failedLogins: AddressLimit = AddressLimit(Rate(30, per: .seconds(600))),
        signups: AddressLimit = AddressLimit(Rate(10, per: .seconds(3600)))
    ) {
        self.accounts = accounts
        self.throttles = throttles
        self.devices = devices
        self.hasher = hasher
        self.clock = clock
        self.audit = audit
        self.logins = logins
        self.failedLogins = failedLogins
        self.signups = signups
    }

    /// Records a logout in the audit log.
    @Sendable public func recordLogout(of client: ClientContext) {
        record(.logout, client.user?.id.map { AccountID($0) }, client)
    }

    func record(
        _ kind: AuditEvent.Kind,
        _ account: AccountID? = nil,
        reason: String? = nil,
        _ client: ClientContext = ClientContext()
    ) {
        audit.record(AuditEvent(kind, at: clock.now, account: account, reason: reason, client: client))
    }
}
