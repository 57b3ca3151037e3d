import BusinessLogic
public import RateLimiting

/// How often one address may log in, sign up and ask for codes.
public struct AccountRateLimits: Sendable {
    package let logins: AddressLimit
    package let failedLogins: AddressLimit
    package let signups: AddressLimit
    package let codes: AddressLimit

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
        self.logins = logins
        self.failedLogins = failedLogins
        self.signups = signups
        self.codes = codes
    }

    /// Limits like these that replace others, and count what those have counted.
    func replacing(_ others: AccountRateLimits, at now: Timestamp) -> AccountRateLimits {
        AccountRateLimits(
            logins: logins.replacing(others.logins, at: now),
            failedLogins: failedLogins.replacing(others.failedLogins, at: now),
            signups: signups.replacing(others.signups, at: now),
            codes: codes.replacing(others.codes, at: now)
        )
    }

    /// Forgets all logins and sign-ups, as if the limits were new.
    package func reset() {
        for limit in [logins, failedLogins, signups, codes] { limit.reset() }
    }
}
