import Accounts
import AccountsDatabase
import BundledControllers
import BundledPages
import BusinessLogic
import CoreMetrics
import Logging
import SessionStorage
import Understudy

/// The account service with its stores, and the pages' dependencies that use them.
struct OpenedAccounts {
    /// The database; `nil` for the demonstration.
    let database: OpenedDatabase?
    let store: any DeviceStore
    /// The audit log; `nil` if none is written.
    let audit: AuditFile?
    /// The clock of the process.
    let clock: any WallClock
    /// The last revocation that has ended sessions of this process.
    let lastRevocation = LastRevocation(0)
    let service: AccountService
    let dependencies: PageDependencies

    /// Opens files, but no connection to a database server: call ``prepare()`` before you use it.
    ///
    /// - Parameter machine: the clock of this machine.
    /// - Throws: the errors of the stores if a file cannot be used.
    init(_ settings: AccountSettings, machine: any WallClock, metrics: any MetricsFactory, logger: Logger) throws {
        let audit = try settings.audit.map { file in
            try AuditFile(path: file.prepared()) { error in
                logger.error("The audit log cannot be written", metadata: ["error": "\(error)"])
            } onReplacement: { replacement in
                switch replacement {
                case .deleted: logger.error("The audit log was deleted, and has been created again")
                case .moved: logger.notice("The audit log was moved, and continues in another file")
                }
            }
        }
        self.audit = audit
        let opened = try settings.database?.opened(machine: machine, logger: logger, metrics: metrics) { error in
            logger.error("The database is not available", metadata: ["error": "\(error)"])
        }
        self.database = opened
        clock = opened?.clock ?? machine
        let database = opened?.database
        store = database ?? MemoryAccountStore()
        service = AccountService(
            accounts: store,
            throttles: database ?? MemoryThrottleStore(),
            devices: store,
            hasher: settings.hasher,
            clock: clock,
            audit: audit ?? NoAuditLog(),
            rateLimits: settings.rateLimits
        )
        dependencies = PageDependencies(
            credentials: database == nil ? DemoCredentials(others: service) : service,
            userIDs: service,
            passwordPolicy: settings.passwordPolicy,
            accounts: service,
            personSaving: database == nil ? NoPersonSaving() : service,
            products: database?.products ?? ProductsRepository.demo,
            clock: clock
        )
    }

    /// Connects to a database server, migrates its tables, and counts the existing revocations as applied. Call it before the sessions are
    /// restored, without those that one of these has ended.
    ///
    /// - Throws: the store's error.
    func prepare() async throws {
        try await database?.prepare()
        lastRevocation.number = try await store.sessionRevocations(after: 0).last?.number ?? 0
    }

    /// The store of the sessions; `nil` for the demonstration.
    var sessions: (any SessionStore)? {
        database?.database.sessions { [lastRevocation] in lastRevocation.number }
    }
}
