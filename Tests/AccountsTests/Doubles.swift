import Accounts
import BusinessLogic
import Synchronization
import Testing

extension MemoryAuditLog {
    var kinds: [AuditEvent.Kind] { events.map(\.kind) }
    var reasons: [String] { events.compactMap(\.reason) }
}

/// A throttle store that counts its updates and can be interrupted.
final class CountingThrottles: ThrottleStore {
    private let store = MemoryThrottleStore()
    private let count = Mutex(0)
    private let interruption = Mutex<(@Sendable () async -> Void)?>(nil)

    var updates: Int { count.withLock { $0 } }

    /// Runs once, after the next update.
    var whileUpdating: (@Sendable () async -> Void)? {
        get { interruption.withLock { $0 } }
        set { interruption.withLock { $0 = newValue } }
    }

    func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @escaping @Sendable (inout FailureCount) -> Result
    ) async throws -> Result {
        count.withLock { $0 += 1 }
        let result = try await store.update(key, change)
        let interrupt = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        await interrupt?()
        return result
    }
}

/// A store of accounts that counts its reads and writes, and can be interrupted.
final class CountingAccounts: AccountStore {
    private let store: MemoryAccountStore
    private let counts = Mutex((reads: 0, writes: 0))

    init(_ store: MemoryAccountStore) {
        self.store = store
    }

    var reads: Int { counts.withLock { $0.reads } }
    var writes: Int { counts.withLock { $0.writes } }

    private let interruption = Mutex<(@Sendable () async throws -> Void)?>(nil)

    /// Runs once, before the next change, which fails with its error.
    var beforeChange: (@Sendable () async throws -> Void)? {
        get { interruption.withLock { $0 } }
        set { interruption.withLock { $0 = newValue } }
    }

    func add(_ accounts: [Account]) async throws {
        counts.withLock { $0.writes += 1 }
        try await store.add(accounts)
    }

    func account(_ id: AccountID) async throws -> Account? {
        counts.withLock { $0.reads += 1 }
        return try await store.account(id)
    }

    func account(username: AccountKey) async throws -> Account? {
        counts.withLock { $0.reads += 1 }
        return try await store.account(username: username)
    }

    func account(email: AccountKey) async throws -> Account? {
        counts.withLock { $0.reads += 1 }
        return try await store.account(email: email)
    }

    func accounts(after key: [UInt8]?, limit: Int) async throws -> [Account] {
        counts.withLock { $0.reads += 1 }
        return try await store.accounts(after: key, limit: limit)
    }

    @discardableResult
    func change(
        _ id: AccountID,
        revokingSessions: Bool,
        _ change: @escaping @Sendable (inout Account) throws -> Void
    ) async throws -> Account? {
        counts.withLock { $0.writes += 1 }
        let interrupt = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        try await interrupt?()
        return try await store.change(id, revokingSessions: revokingSessions, change)
    }

    func remove(_ id: AccountID) async throws -> Bool {
        counts.withLock { $0.writes += 1 }
        return try await store.remove(id)
    }

    func sessionRevocations(after number: Int) async throws -> [SessionRevocation] {
        counts.withLock { $0.reads += 1 }
        return try await store.sessionRevocations(after: number)
    }
}

/// Waits until the condition is true. Fails the test after 30 seconds.
func waitUntil(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("The condition was not true within 30 seconds", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}
