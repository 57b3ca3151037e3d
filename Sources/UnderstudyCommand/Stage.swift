import Accounts
import AccountsSQLite
import ArgumentParser
import BusinessLogic
import Logging
import ServiceLifecycle
import Understudy

/// What is served: the pages with all that stands behind them.
struct Stage {
    let pages: [Page]
    let accounts: any AccountStore
    let policy: any PasswordPolicy
    let onLogout: @Sendable (Visitor) -> Void
}

/// How accounts are guarded.
struct AccountOptions: ParsableArguments {
    @OptionGroup var audit: AuditOptions

    @OptionGroup var passwords: PasswordOptions

    @Option(help: "How many logins may fail from one address, as COUNT/TIME. (default: 30/10m)")
    var failedLogins: RateSetting?

    @Option(help: "How many may sign up from one address, as COUNT/TIME. (default: 10/1h)")
    var signups: RateSetting?

    @Flag(help: "Hold the limits for addresses against this machine's own, too.")
    var limitLoopback = false

    /// The pages over a database.
    func stage(in storage: StorageOptions, logger: Logger) throws -> Stage {
        let database = try SQLiteDatabase(path: storage.databasePath()) { error in
            logger.error("The database does not answer", metadata: ["error": "\(error)"])
        }
        let audit = try AuditFile(path: audit.path(in: storage)) { error in
            logger.error("The audit log cannot be written", metadata: ["error": "\(error)"])
        }
        let policy = try passwords.policy()
        let service = try service(accounts: database, throttles: database, audit: audit)
        return Stage(
            pages: Page.bundled(
                credentials: service,
                userIDs: service,
                passwordPolicy: policy,
                accounts: service,
                repository: database.products,
                personSaving: service
            ),
            accounts: database,
            policy: policy,
            onLogout: service.loggedOut
        )
    }

    /// The pages as the articles show them. Who signs up can log in, until the process ends.
    func demonstration() throws -> Stage {
        let accounts = MemoryAccountStore()
        let audit: any AuditLog = try self.audit.path().map { try AuditFile(path: $0) } ?? NoAuditLog()
        let service = try service(accounts: accounts, throttles: MemoryThrottleStore(), audit: audit)
        return Stage(
            pages: Page.demo(
                credentials: service,
                userIDs: service,
                passwordPolicy: PresentPassword(),
                accounts: service,
                personSaving: service
            ),
            accounts: accounts,
            policy: PresentPassword(),
            onLogout: service.loggedOut
        )
    }

    private func service(
        accounts: any AccountStore,
        throttles: any ThrottleStore,
        audit: any AuditLog
    ) throws -> AccountService {
        let limitsLoopback =
            try limitLoopback || setting(Optional<Switch>.none, "limit-loopback", default: Switch(false)).isOn
        func limit(_ flag: RateSetting?, _ name: String, _ rate: RateSetting) throws -> AddressLimit {
            let rate = try setting(flag, name, default: rate)
            return AddressLimit(Rate(rate.count, per: rate.interval), limitsLoopback: limitsLoopback)
        }
        return AccountService(
            accounts: accounts,
            throttles: throttles,
            hasher: try passwords.hasher(),
            clock: SystemClock(),
            audit: audit,
            failedLogins: try limit(failedLogins, "failed-logins", RateSetting(30, per: .seconds(600))),
            signups: try limit(signups, "signups", RateSetting(10, per: .seconds(3600)))
        )
    }
}

/// Ends sessions whose accounts have been disabled or deleted, or have got another password: by the command line, say.
struct SessionEndings: Service {
    let store: any AccountStore
    let service: UnderstudyService
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            // Sessions do not outlive the process: only what ends from now on counts.
            var last = try await waitingForStore { try await store.sessionEndings(after: 0).last?.number ?? 0 }
            while true {
                try await Task.sleep(for: .milliseconds(100))
                let after = last
                for ending in try await waitingForStore({ try await store.sessionEndings(after: after) }) {
                    try await service.endSessions(ofUser: ending.account.text)
                    last = ending.number
                }
            }
        }
    }

    /// Asks the store again and again while it does not answer.
    private func waitingForStore<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        while true {
            do {
                return try await body()
            } catch is CollaboratorError {
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
