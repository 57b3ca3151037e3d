import Accounts
import ArgumentParser
import BundledControllers
import Logging
import RateLimiting

/// Where accounts are stored, and how logins are limited.
struct AccountSettings {
    /// The database; `nil` for the demonstration, which stores nothing.
    let database: DatabaseLocation?
    let passwordPolicy: any PasswordPolicy
    let hashing: HashingSettings
    let rateLimits: AccountRateLimits

    init(_ options: some ServeOptions, _ settings: SettingsReader, isDemo: Bool) throws {
        if isDemo {
            database = nil
            passwordPolicy = NonEmptyPasswordPolicy()
        } else {
            database = try options.storage.databaseLocation(settings)
            passwordPolicy = try options.passwords.policy(settings) { error in
                Logger(label: "understudy").warning(
                    "The list of leaked passwords cannot be read, so that passwords are not compared with it",
                    metadata: ["error": "\(error)"]
                )
            }
        }
        hashing = try options.passwords.hashing(settings)
        let limitsLoopback = try settings.value(options.limits.limitLoopback, Settings.limitLoopback)
        func limit(_ option: RateSetting?, _ setting: Setting<RateSetting>) throws -> AddressLimit {
            AddressLimit(try settings.value(option, setting).rate, limitsLoopback: limitsLoopback)
        }
        rateLimits = AccountRateLimits(
            logins: try limit(options.accounts.logins, Settings.logins),
            failedLogins: try limit(options.accounts.failedLogins, Settings.failedLogins),
            signups: try limit(options.accounts.signups, Settings.signups),
            codes: try limit(options.accounts.codes, Settings.codes)
        )
    }
}

/// The options about other sites and apps with the same passkeys.
struct PasskeyOptions: ParsableArguments {
    @Option(Settings.relatedOrigins) var relatedOrigins: String?
    @Option(Settings.appleApps) var appleApps: String?
    @Option(Settings.androidApps) var androidApps: String?
}

/// The options that limit logins, sign-ups and codes.
struct AccountOptions: ParsableArguments {
    @Option(Settings.logins) var logins: RateSetting?
    @Option(Settings.failedLogins) var failedLogins: RateSetting?
    @Option(Settings.signups) var signups: RateSetting?
    @Option(Settings.codes) var codes: RateSetting?
    @Flag(Settings.confirmAddresses) var confirmAddresses = false
}
