import Accounts
import AccountsDatabase
import AccountsSQLite
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
    /// In the database; the demonstration's is in memory.
    let audit: any AuditLog
    /// The clock of the process.
    let clock: any WallClock
    /// The topics that the controllers of this process follow.
    let topics: Topics
    /// The topics of all processes that use the database; `nil` for the demonstration.
    let sharedTopics: DatabaseTopics?
    /// Where mails wait until they are sent.
    let outbox: any OutboxStore
    /// The mails of a demonstration or a test; `nil` if a mail server gets them.
    private let keptMails: MemoryOutbox?
    /// The last revocation that has ended sessions of this process.
    let lastRevocation = LastRevocation(0)
    /// The clock of the process, if tests can advance it.
    private let testClock: AdvanceableClock?
    private let reset: DataReset?
    private let rateLimits: AccountRateLimits
    /// Counts what the audit log contains.
    let metrics: AccountMetrics
    /// Hashes the passwords of the accounts.
    let hasher: PasswordHasher
    let service: AccountService
    let dependencies: PageDependencies

    /// Opens files, but no connection to a database server: call ``prepare()`` before you use it.
    ///
    /// - Parameters:
    ///   - mails: writes the mails; `nil` if none are sent.
    /// - Throws: the errors of the stores if a file cannot be used.
    init(
        _ settings: ServeSettings,
        mails: TemplatedMails?,
        metrics: any MetricsFactory,
        logger: Logger
    ) throws {
        let (machine, isTestControlled) = (settings.service.clock, settings.isTestControlled)
        let opened = try settings.database?.named(.current).opened(machine: machine, logger: logger, metrics: metrics) {
            error in
            logger.error("The database is not available", metadata: ["error": "\(error)"])
        }
        self.database = opened
        audit = AuditLines(factory: metrics).auditLog(in: opened?.database)
        testClock = isTestControlled ? AdvanceableClock(opened?.clock ?? machine) : nil
        clock = testClock ?? opened?.clock ?? machine
        topics = Topics(clock: clock)
        let database = opened?.database
        sharedTopics = database?.sharedTopics(topics, clock: clock)
        let memory = (
            accounts: MemoryAccountStore(), throttles: MemoryThrottleStore(), outbox: MemoryOutbox(clock: clock)
        )
        if case .server = settings.mails, let database {
            outbox = database.outbox(clock: clock)
        } else {
            outbox = memory.outbox
        }
        keptMails = if case .memory = settings.mails { memory.outbox } else { nil }
        store = database ?? memory.accounts
        let pages: any PageStore
        let place: DataReset.Place
        if let database, let sharedTopics {
            pages = database.pageStore(sharedTopics)
            place = (database as? SQLiteDatabase).map { .file($0) } ?? .server
        } else {
            let memoryPages = try MemoryPageStore(Application.current.migrations, topics: topics)
            pages = memoryPages
            place = .memory(memory.accounts, memory.throttles, memoryPages)
        }
        reset = isTestControlled ? DataReset(place, memory.outbox, lastRevocation) : nil
        rateLimits = settings.rateLimits
        hasher = try settings.hashing.hasher()
        self.metrics = AccountMetrics(audit, limits: rateLimits)
        service = AccountService(
            accounts: store,
            throttles: database ?? memory.throttles,
            devices: store,
            hasher: hasher,
            clock: clock,
            audit: self.metrics,
            rateLimits: rateLimits,
            mail: mails.map { [outbox] in
                AccountMails(outbox: outbox, writer: $0, confirmsAddresses: settings.confirmsAddresses)
            },
            siteName: Application.current.title
        )
        var dependencies = PageDependencies()
        dependencies.credentials = database == nil ? DemoCredentials(others: service) : service
        dependencies.userIDs = service
        dependencies.passwordPolicy = settings.passwordPolicy
        dependencies.accounts = service
        if database != nil { dependencies.personSaving = service }
        dependencies.codes = mails == nil ? nil : service
        dependencies.owner = service
        dependencies.factors = service
        dependencies.mailbox = database == nil ? keptMails.map(KeptMailbox.init) : nil
        dependencies.outbox = mails == nil ? nil : outbox
        if let database { dependencies.products = database.products }
        dependencies.clock = clock
        dependencies.topics = sharedTopics ?? topics
        dependencies.database = PageDatabase(pages)
        self.dependencies = dependencies
    }

    /// Connects to a database server, migrates its tables, and counts the existing revocations as applied. Call it before the sessions are
    /// restored, without those that one of these has ended.
    ///
    /// - Throws: the store's error.
    func prepare() async throws {
        try await database?.prepare()
        try await database?.database.migratePages(Application.current.migrations)
        lastRevocation.number = try await store.sessionRevocations(after: 0).last?.number ?? 0
        try await reset?.remember()
    }

    /// Creates the endpoints with which tests control the server; `nil` if they cannot. Call it once.
    func testControl() -> TestControl? {
        guard let testClock, let reset else { return nil }
        // A limit for addresses begins anew, whatever is restored.
        let resetting = { @Sendable [rateLimits] (data: SavedData) in
            SavedData {
                try await data.restore()
                rateLimits.reset()
            }
        }
        return TestControl(
            clock: testClock,
            start: resetting(SavedData { try await reset.restoreStart() }),
            mails: keptMails
        ) {
            resetting(try await reset.save())
        }
    }

    /// The store of the sessions; `nil` for the demonstration.
    var sessions: (any SessionStore)? {
        database?.database.sessions { [lastRevocation] in lastRevocation.number }
    }
}
