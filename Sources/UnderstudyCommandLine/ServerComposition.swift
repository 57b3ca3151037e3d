import Accounts
import AccountsSQLite
import ArgumentParser
import BundledControllers
import BundledPages
import BusinessLogic
import Logging
import RateLimiting
import Understudy

/// What is served: the pages with all that stands behind them.
struct ServerComponents {
    let pages: [Page]
    let accounts: any AccountStore
    let policy: any PasswordPolicy
    let onLogout: @Sendable (ClientContext) -> Void
    /// Issues a token to the device on which a user has logged in, in place of the one that it presented.
    let issueDeviceToken: @Sendable (User, ClientContext) async throws -> String?

    init(
        pages: [Page],
        accounts: any AccountStore,
        policy: any PasswordPolicy,
        service: AccountService
    ) {
        self.pages = pages
        self.accounts = accounts
        self.policy = policy
        onLogout = service.recordLogout(of:)
        issueDeviceToken = service.issueDeviceToken
    }
}

/// How accounts are guarded.
struct AccountOptions: ParsableArguments {
    @OptionGroup var audit: AuditOptions

    @OptionGroup var passwords: PasswordOptions

    @Option(Settings.logins)
    var logins: RateSetting?

    @Option(Settings.failedLogins)
    var failedLogins: RateSetting?

    @Option(Settings.signups)
    var signups: RateSetting?
}

/// What a stage is to be made of. Nothing has been opened yet.
struct ServerComposition {
    /// Where accounts are kept; `nil` for the demonstration, which keeps nothing.
    let database: KeptFile?
    /// Where the audit log is kept; `nil` where there is to be none.
    let audit: KeptFile?
    let policy: any PasswordPolicy
    let hasher: PasswordHasher
    let logins: AddressLimit
    let failedLogins: AddressLimit
    let signups: AddressLimit

    init(
        _ accounts: AccountOptions,
        in storage: StorageOptions,
        isDemo: Bool,
        limitsLoopback: Bool,
        _ settings: SettingsReader
    ) throws {
        func limit(_ rate: RateSetting) -> AddressLimit {
            AddressLimit(rate.rate, limitsLoopback: limitsLoopback)
        }
        if isDemo {
            database = nil
            audit = try accounts.audit.path(settings).map { KeptFile(path: $0, folder: nil) }
            policy = NonEmptyPasswordPolicy()
        } else {
            database = try storage.databaseFile(settings)
            audit = try accounts.audit.file(in: storage, settings)
            policy = try accounts.passwords.policy(settings)
        }
        hasher = try accounts.passwords.hasher(settings)
        logins = limit(try settings.value(accounts.logins, Settings.logins))
        failedLogins = limit(try settings.value(accounts.failedLogins, Settings.failedLogins))
        signups = limit(try settings.value(accounts.signups, Settings.signups))
    }

    /// Opens what there is to open.
    func open(logger: Logger) throws -> ServerComponents {
        let audit: (any AuditLog)? = try audit.map { file in
            try AuditFile(path: file.prepared()) { error in
                logger.error("The audit log cannot be written", metadata: ["error": "\(error)"])
            }
        }
        guard let database else { return demonstration(audit: audit ?? NoAuditLog()) }
        let store = try SQLiteDatabase(path: database.prepared()) { error in
            logger.error("The database does not answer", metadata: ["error": "\(error)"])
        }
        let service = service(store: store, throttles: store, audit: audit ?? NoAuditLog())
        let pages = Page.bundled(
            credentials: service,
            userIDs: service,
            passwordPolicy: policy,
            accounts: service,
            repository: store.products,
            personSaving: service
        )
        return ServerComponents(pages: pages, accounts: store, policy: policy, service: service)
    }

    /// The pages as the articles show them. Who signs up can log in, until the process ends.
    private func demonstration(audit: any AuditLog) -> ServerComponents {
        let store = MemoryAccountStore()
        let service = service(store: store, throttles: MemoryThrottleStore(), audit: audit)
        let pages = Page.demo(
            credentials: service,
            userIDs: service,
            passwordPolicy: policy,
            accounts: service,
            personSaving: service
        )
        return ServerComponents(pages: pages, accounts: store, policy: policy, service: service)
    }

    private func service(
        store: any DeviceStore,
        throttles: any ThrottleStore,
        audit: any AuditLog
    ) -> AccountService {
        AccountService(
            accounts: store,
            throttles: throttles,
            devices: store,
            hasher: hasher,
            clock: SystemClock(),
            audit: audit,
            logins: logins,
            failedLogins: failedLogins,
            signups: signups
        )
    }
}
