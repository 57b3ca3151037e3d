import AccountsSQLite

@testable import Accounts

/// A service with a database in memory, a clock that the test sets, and hashes that cost little.
struct AccountFixture: AccountSuite {
    let store: any AccountStore
    let counting: CountingStore
    let clock = ManualClock()
    let audit = MemoryAuditLog()
    let outbox: MemoryOutbox
    let hasher: PasswordHasher
    let service: AccountService

    var fixture: AccountFixture { self }

    init(_ limits: AccountRateLimits = .init(), maximumWaiting: Int = 64, confirmsAddresses: Bool = false) throws {
        store = try SQLiteDatabase.inMemory()
        counting = CountingStore(store)
        outbox = MemoryOutbox(clock: clock)
        let cost = try Argon2Cost(memory: 8, iterations: 1)
        hasher = PasswordHasher(cost: cost, workers: 2, maximumWaiting: maximumWaiting)
        service = AccountService(
            counting,
            hasher: hasher,
            clock: clock,
            audit: audit,
            rateLimits: limits,
            mail: AccountMails(outbox: outbox, writer: NamedMails(), confirmsAddresses: confirmsAddresses),
            siteName: "Shop"
        )
    }
}

/// Tests of a service.
protocol AccountSuite {
    var fixture: AccountFixture { get }
}

extension AccountSuite {
    var store: any AccountStore { fixture.store }
    var counting: CountingStore { fixture.counting }
    var clock: ManualClock { fixture.clock }
    var audit: MemoryAuditLog { fixture.audit }
    var outbox: MemoryOutbox { fixture.outbox }
    var hasher: PasswordHasher { fixture.hasher }
    var service: AccountService { fixture.service }

    /// The names of the mails, the oldest first.
    var mails: [String] { outbox.mails.map(\.subject) }

    /// Adds an account.
    @discardableResult
    func add(
        _ email: String = "lisa@rules.example",
        username: String? = nil,
        password: String = "saxophone",
        isDisabled: Bool = false,
        isConfirmed: Bool = false
    ) async throws -> Account {
        let account = Account(
            name: "Lisa",
            email: email,
            username: username,
            passwordHash: try await hasher.hash(password),
            created: clock.now,
            isDisabled: isDisabled,
            emailConfirmed: isConfirmed ? clock.now : nil
        )
        try await store.add(account)
        return account
    }

    func storedAccount(_ email: String = "lisa@rules.example") async throws -> Account? {
        try await store.account(email: AccountKey(email))
    }

    /// A hasher with one thread, for which passwords wait.
    func slowHasher(waiting: Int = 1) -> PasswordHasher {
        PasswordHasher(cost: hasher.cost, workers: 1, maximumWaiting: waiting)
    }

    /// The reads and writes of accounts, the updates of counts and the hashes of a call.
    func work<Result>(_ call: () async throws -> Result) async throws -> [Int] {
        let (before, done) = (counting.calls, hasher.load.done)
        _ = try await call()
        let after = counting.calls
        return [
            after.reads - before.reads, after.writes - before.writes, after.updates - before.updates,
            hasher.load.done - done,
        ]
    }

    /// The client of the account's user.
    func client(of account: Account) -> ClientContext {
        ClientContext(user: account.user, address: IPAddress("203.0.113.7"))
    }
}

extension WorkerThreads {
    /// Runs a test while the only thread is busy. Call `release` to let it go on.
    func whileBusy(_ body: (_ release: @Sendable () -> Void) async throws -> Void) async throws {
        let barrier = Barrier()
        async let busy: Void = run { barrier.block() }
        await barrier.arrivals.reaches(1)
        do {
            try await body { barrier.lift() }
        } catch {
            barrier.lift()
            throw error
        }
        try await busy
    }
}

/// Mails whose subject is the name of their content, and whose text is their code.
struct NamedMails: MailWriting {
    func mail(_ content: MailContent, to recipient: String, language: String?, expires: Timestamp?) -> Mail {
        let name = content.subject.code.split(separator: ".")[1]
        return Mail(recipient: recipient, subject: "\(name)", text: content.code ?? "", expires: expires)
    }
}

extension MemoryAuditLog {
    var kinds: [AuditEvent.Kind] { events.map(\.kind) }
    var reasons: [String] { events.compactMap(\.reason) }
}

/// A store that counts its reads and writes, and can be interrupted.
final class CountingStore: AccountStore {
    let store: any AccountStore
    let counts = LockedValue((reads: 0, writes: 0, updates: 0))
    /// Runs once, before the next change, which fails with its error.
    let beforeChange = LockedValue<(@Sendable () async throws -> Void)?>(nil)
    /// Runs once, after the next update of a count of failed logins.
    let whileUpdating = LockedValue<(@Sendable () async -> Void)?>(nil)

    init(_ store: any AccountStore) { self.store = store }

    /// The reads and writes of accounts, and the updates of counts of failed logins.
    var calls: (reads: Int, writes: Int, updates: Int) { counts.value }

    var read: any AccountStore {
        counts.change { $0.reads += 1 }
        return store
    }

    var write: any AccountStore {
        counts.change { $0.writes += 1 }
        return store
    }

    func add(_ accounts: [Account]) async throws { try await write.add(accounts) }

    func account(_ id: AccountID) async throws -> Account? { try await read.account(id) }

    func account(username: AccountKey) async throws -> Account? { try await read.account(username: username) }

    func account(email: AccountKey) async throws -> Account? { try await read.account(email: email) }

    func accounts(after key: [UInt8]?, limit: Int) async throws -> [Account] {
        try await read.accounts(after: key, limit: limit)
    }

    func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        let store = write
        try await beforeChange.change { $0.take() }?()
        return try await store.change(id, revokingSessions: revokingSessions, change)
    }

    func remove(_ id: AccountID) async throws -> Bool { try await write.remove(id) }

    func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        try await read.sessionRevocations(after: number)
    }

    func device(_ key: DeviceKey) async throws -> Device? { try await store.device(key) }

    func devices(of account: AccountID) async throws -> [Device] { try await store.devices(of: account) }

    func removeDevice(_ key: DeviceKey) async throws { try await store.removeDevice(key) }

    func addDevice(_ device: Device, replacing old: DeviceKey?, limit: Int, at now: Timestamp) async throws -> Bool {
        try await store.addDevice(device, replacing: old, limit: limit, at: now)
    }

    func updateFailures<Result: Sendable>(
        of key: DeviceKey,
        _ change: @escaping @Sendable (inout Int) -> Result
    ) async throws -> Result? { try await store.updateFailures(of: key, change) }

    func resetFailures(of key: DeviceKey) async throws { try await store.resetFailures(of: key) }

    func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @escaping @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        counts.change { $0.updates += 1 }
        let result = try await store.update(key, change)
        await whileUpdating.change { $0.take() }?()
        return result
    }

    func reset(_ key: ThrottleKey) async throws { try await update(key) { $0 = FailureCount() } }
}
