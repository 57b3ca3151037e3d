import BusinessLogic
public import RateLimiting

/// How often one address may log in, sign up and ask for codes.
public struct AccountRateLimits: Sendable {
    package var logins: AddressLimit
    package var failedLogins: AddressLimit
    package var signups: AddressLimit
    package var codes: AddressLimit

    package static let all:
        [(setting: String, limit: any WritableKeyPath<AccountRateLimits, AddressLimit> & Sendable)] = [
            ("logins", \.logins), ("failed-logins", \.failedLogins), ("signups", \.signups), ("codes", \.codes),
        ]

    /// Limits with those rates.
    ///
    /// - Parameters:
    ///   - logins: limits the verified logins, including successful ones. By default 300 in ten minutes.
    ///   - failedLogins: limits the failed logins. By default 30 in ten minutes.
    ///   - signups: limits the sign-ups. By default 10 in an hour.
    ///   - codes: limits the codes that are sent by email. By default 10 in ten minutes.
    public init(
        logins: AddressLimit = AddressLimit(Rate(300, per: .seconds(600))),
        failedLogins: AddressLimit = AddressLimit(Rate(30, per: .seconds(600))),
        signups: AddressLimit = AddressLimit(Rate(10, per: .seconds(3600))),
        codes: AddressLimit = AddressLimit(Rate(10, per: .seconds(600)))
    ) {
        (self.logins, self.failedLogins, self.signups, self.codes) = (logins, failedLogins, signups, codes)
    }

    /// Limits like these that replace others, and count what those have counted.
    func replacing(_ others: AccountRateLimits, at now: Timestamp) -> AccountRateLimits {
        var limits = self
        for (_, limit) in Self.all {
            limits[keyPath: limit] = self[keyPath: limit].replacing(others[keyPath: limit], at: now)
        }
        return limits
    }

    package func reset() {
        for (_, limit) in Self.all { self[keyPath: limit].reset() }
    }
}
