package import Accounts
import AccountsDatabase
import AccountsSQLite
import Addresses
import BundledControllers
import BundledPages
import BusinessLogic
import CoreMetrics
import Logging
import RateLimiting
package import Understudy

/// The account service with its stores, and the pages' dependencies that use them.
struct OpenedAccounts {
    /// The database; that of the demonstration is in memory.
    let database: OpenedDatabase
    /// Whether nothing is stored when the process ends.
    private let isDemonstration: Bool
    /// In the database; the demonstration's is in memory.
    let audit: any AuditLog
    let clock: any WallClock
    /// The topics that the controllers of this process follow.
    let topics: Topics
    /// The topics of all processes that use the database; `nil` for the demonstration.
    let sharedTopics: DatabaseTopics?
    let outbox: DatabaseOutbox
    /// The mails of a demonstration or a test; `nil` if a mail server gets them.
    private let keptMails: MemoryOutbox?
    let lastRevocation = LastRevocation()
    /// The clock of the process, if tests can advance it.
    private let testClock: AdvanceableClock?
    private let reset: DataReset?
    let rateLimits: AccountRateLimits
    let hasher: PasswordHasher
    let service: AccountService
    let dependencies: PageDependencies

    /// Opens files, but no connection to a database server: call ``prepare()`` before you use it. Without `mails`, none are sent.
    init(_ settings: ServeSettings, mails: TemplatedMails?, metrics: any MetricsFactory, logger: Logger) throws {
        let (machine, isTestControlled) = (settings.service.clock, settings.isTestControlled)
        isDemonstration = settings.database == nil
        let outages = OutageLog(logger)
        let opened = try settings.database?.named(.current).opened(machine: machine, logger: logger, metrics: metrics) {
            outages.record($0)
        }
        self.database = try opened ?? OpenedDatabase(database: SQLiteDatabase.inMemory())
        let database = self.database.database
        audit = AuditReport(factory: metrics).auditLog(in: isDemonstration ? nil : database)
        testClock = isTestControlled ? AdvanceableClock(self.database.clock ?? machine) : nil
        clock = testClock ?? self.database.clock ?? machine
        topics = Topics(clock: clock)
        sharedTopics = isDemonstration ? nil : DatabaseTopics(database, topics, clock: clock)
        outbox = DatabaseOutbox(database, clock: clock)
        keptMails = settings.keptMails(clock: clock)
        rateLimits = settings.rateLimits
        reset = isTestControlled ? DataReset(database as? SQLiteDatabase, keptMails, lastRevocation, rateLimits) : nil
        hasher = try settings.reader.hasher()
        let mailOutbox: any Outbox = keptMails ?? outbox
        service = AccountService(
            database,
            hasher: hasher,
            clock: clock,
            audit: audit,
            rateLimits: rateLimits,
            mail: mails.map {
                AccountMails(outbox: mailOutbox, writer: $0, confirmsAddresses: settings.confirmsAddresses)
            },
            siteName: settings.service.title
        )
        var dependencies = PageDependencies()
        dependencies.credentials = isDemonstration ? FixedCredentials.demo(others: service) : service
        dependencies.userIDs = service
        dependencies.passwordPolicy = settings.passwordPolicy
        dependencies.accounts = service
        if !isDemonstration { dependencies.personSaving = service }
        dependencies.owner = mails == nil ? nil : service
        dependencies.factors = service
        dependencies.mailbox = isDemonstration ? keptMails.map(KeptMailbox.init) : nil
        dependencies.mails = mails.map { [service] in
            UserMails(outbox: mailOutbox, writer: $0) { try await service.confirmedEmail(ofUser: $0) }
        }
        if !isDemonstration { dependencies.products = database.products }
        dependencies.clock = clock
        let publisher: any TopicPublisher = sharedTopics ?? topics
        dependencies.topics = publisher
        dependencies.database = PageDatabase(database, topics: publisher)
        self.dependencies = dependencies
    }

    /// Connects to a database server, migrates its tables, adds the account of a demonstration, and counts the existing revocations as applied.
    /// Call it before the sessions are restored, without those that one of these has ended.
    func prepare() async throws {
        try await database.prepare()
        try await database.database.migratePages(Application.current.migrations)
        if isDemonstration {
            let account = Account(
                name: "Alfred",
                email: "alfred@wayne.example",
                username: "alfred",
                passwordHash: try await hasher.hash("pennyworth"),
                created: clock.now,
                emailConfirmed: clock.now
            )
            // No operator has added it: the audit log says nothing.
            try await database.database.add([account])
        }
        lastRevocation.number = try await database.database.sessionRevocations(after: 0).last?.number ?? 0
        try await reset?.remember()
    }

    /// Creates the endpoints with which tests control the server; `nil` if they cannot. Call it once.
    func testControl() -> TestControl? {
        guard let testClock, let reset else { return nil }
        let start = SavedData { try await reset.restoreStart() }
        return TestControl(clock: testClock, start: start, mails: keptMails, saveData: reset.save)
    }

    /// The database, if what it contains is stored when the process ends; `nil` for the demonstration.
    var storage: (any Database)? { isDemonstration ? nil : database.database }

    /// Lines for an operator: the addresses with the most failed logins in the period of the limit, at this server, and the accounts with the most
    /// failed logins of a day. A limit counts a login as failed until it succeeds.
    func attackers() async throws -> [String] {
        let limit = service.rateLimits.failedLogins
        let addresses = limit.mostUsed(10, at: clock.steady)
            .map { ["\($0.address)\($0.address.isV4 ? "" : "/64")", "\($0.uses) of \(limit.rate.count)"] }
        let failures = try await database.database.mostFailures(since: clock.now - .seconds(86_400), limit: 10)
        var accounts: [[String]] = []
        // A name's count may be one of sign-ups only.
        for (key, count) in failures where count.failures + count.refused > 0 {
            // ``ThrottleKey/text``: what is limited, and the account's ID or the hash of a name without an account.
            let parts = key.split(separator: ":", maxSplits: 1)
            let account = try await database.database.account(AccountID(String(parts.last ?? "")))
            let last = count.lastFailure?.brief ?? ""
            accounts.append([account?.username ?? "(\(key))", "\(count.failures)", "\(count.refused)", last])
        }
        func table(_ head: [String], _ rows: [[String]], _ widths: [Int]) -> [String] {
            ([head] + rows).map { .row($0, widths: widths) }
        }
        return table(["ADDRESS", "FAILED LOGINS"], addresses, [39]) + [""]
            + table(["ACCOUNT", "FAILED", "REFUSED", "LAST"], accounts, [39, 6, 7])
    }

    /// The store of the sessions; `nil` for the demonstration.
    var sessions: (any SessionStore)? { storage?.sessions { [lastRevocation] in lastRevocation.number } }
}

/// Shows the mails of a demonstration.
struct KeptMailbox: Mailbox {
    let outbox: MemoryOutbox

    func mails() -> [MailboxEntry] {
        outbox.testMails.reversed().prefix(Self.maximumMails).map {
            MailboxEntry(
                recipient: $0.recipient,
                subject: $0.subject,
                text: $0.text,
                sent: $0.sent,
                code: $0.code,
                link: $0.link
            )
        }
    }

    /// The maximum number of mails that are shown, so that a session that shows them stays small.
    private static let maximumMails = 20
}

extension MemoryOutbox: TestMailbox {
    package var testMails: [TestMail] {
        added.map {
            TestMail(recipient: $0.mail.recipient, subject: $0.mail.subject, text: $0.mail.text, sent: $0.time)
        }
    }
}
