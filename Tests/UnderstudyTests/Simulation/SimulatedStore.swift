import Synchronization

/// A database in memory whose calls take time and fail, before or after they have had their effect.
final class SimulatedStore: SessionStore {
    /// A fault of the store, which the simulation must find.
    enum Flaw: CaseIterable {
        /// A commit does not compare the version.
        case lostUpdate
        /// A commit executes a write twice.
        case doubledWrite
        /// A commit stores the session without what its event has written.
        case forgottenWrite
        /// A session is found under the ID of another one.
        case foreignSession
        /// A revocation ends no session.
        case ignoredRevocation
        /// The ID that a login has replaced still leads to the session.
        case keptID
        /// The end of a session has no effect.
        case ignoredEnd
    }

    struct Session {
        var state: StoredSession
        var tokens: [[UInt8]]
    }

    struct State {
        var sessions: [[UInt8]: Session] = [:]
        var replaced: [[UInt8]: [UInt8]?] = [:]
        var revocations: [String: Int] = [:]
        var lastRevocation = 0
        var entries: [String: Int] = [:]
        var passwords: [String: Int] = [:]
        var lastID: [UInt8] = []
    }

    /// Counts an entry of an account. With a number, only if there are as many as when the controller read it.
    struct Entry: StoreWrite {
        let account: String
        let number: Int?
    }

    let state = Mutex(State())
    let executor: SeededExecutor
    let flaw: Flaw?
    let hasFaults = Atomic(true)

    init(_ executor: SeededExecutor, flaw: Flaw? = nil) { (self.executor, self.flaw) = (executor, flaw) }

    /// Makes all further calls succeed.
    func repair() { hasFaults.store(false, ordering: .relaxed) }

    func call<Result>(_ body: (inout State) throws -> Result) async throws -> Result {
        await executor.pause()
        try fail()
        let result = try state.withLock { try body(&$0) }
        await executor.pause()
        try fail()
        return result
    }

    func fail() throws {
        guard hasFaults.load(ordering: .relaxed), executor.decides(4) else { return }
        throw CollaboratorError.outage()
    }

    // MARK: What pages store

    /// The number of an account's entries.
    func entries(of account: String) async throws -> Int { try await call { $0.entries[account] ?? 0 } }

    /// Adds an entry at the commit of the current event.
    func add(to account: String) async throws {
        let number = executor.decides(50) ? try await entries(of: account) : nil
        UnitOfWork.current(in: self)?.add(Entry(account: account, number: number))
    }

    func password(of account: String) async throws -> Int { try await call { $0.passwords[account] ?? 0 } }

    func setPassword(_ password: Int, of account: String) async throws {
        try await call { $0.passwords[account] = password }
    }

    // MARK: Sessions

    var database: ObjectIdentifier? { ObjectIdentifier(self) }

    var isAvailable: Bool { true }

    var addressKey: [UInt8] { get async throws { try await call { _ in [UInt8](repeating: 1, count: 32) } } }

    func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup {
        try await call { state in
            let isOther = flaw == .foreignSession && executor.decides(10)
            if let session = state.sessions[isOther ? state.lastID : id] {
                return session.state.version == known
                    ? .unchanged(lastUsed: session.state.lastUsed) : .found(session.state)
            }
            if let response = state.replaced[id] { return .replaced(response: response) }
            return .unknown
        }
    }

    func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        try await call { try commit(change, writes, &$0) }
    }

    func commit(_ change: SessionChange, _ writes: [any StoreWrite], _ state: inout State) throws
        -> CommitResult
    {
        let former = state.sessions[change.currentID]
        if state.sessions[change.session.id]?.tokens.contains(change.token) == true { return .committed }
        let isCurrent = former?.state.version ?? 0 == change.version
        if !isCurrent, flaw != .lostUpdate || former == nil { return .conflict }
        if let userChange = change.userChange, let user = change.session.user,
            let revocation = state.revocations[user], revocation > userChange.lastRevocation
        {
            return .revoked(last: state.lastRevocation)
        }
        var entries = state.entries
        for case let entry as Entry in writes {
            let number = entries[entry.account] ?? 0
            guard number == entry.number ?? number else { return .conflict }
            if flaw == .forgottenWrite, executor.decides(10) { continue }
            let isDoubled = flaw == .doubledWrite && executor.decides(10)
            entries[entry.account] = number + (isDoubled ? 2 : 1)
        }
        let version = (former?.state.version ?? 0) + 1
        let events = former?.state.events.filter { $0.version >= change.oldestEvent } ?? []
        state.entries = entries
        if let replaced = change.userChange?.replacedID {
            if flaw != .keptID { state.sessions[replaced] = nil }
            state.replaced[replaced] = .some(change.userChange?.response)
        }
        state.lastID = change.session.id
        var session = change.session
        session.version = version
        session.events = events + [StoredEvent(version: version, content: change.event)]
        state.sessions[session.id] = Session(state: session, tokens: (former?.tokens ?? []) + [change.token])
        return .committed
    }

    func touch(_ id: [UInt8], at now: Timestamp) async throws {
        try await call { $0.sessions[id]?.state.lastUsed = now }
    }

    func end(_ id: [UInt8]) async throws { try await call { if flaw != .ignoredEnd { $0.sessions[id] = nil } } }

    func endSessions(ofUser user: String) async throws {
        try await call { state in
            state.lastRevocation += 1
            state.revocations[user] = state.lastRevocation
            if flaw == .ignoredRevocation { return }
            state.sessions = state.sessions.filter { $0.value.state.user != user }
        }
    }

    func save(_ sessions: [StoredSession], until deadline: ContinuousClock.Instant) async throws {}
    func take(limit: Int) async throws -> [StoredSession] { [] }
    func removeSessions(exceeding limits: SessionLimits, at now: Timestamp) async throws -> RemovedSessions {
        RemovedSessions()
    }
    func claimEndedSessions(limit: Int, at now: Timestamp) async throws -> [String] { [] }
    func removeEndedSession(_ key: String) async throws {}
    func sessions(ofUser user: String) async throws -> [UserSession] { [] }
    func versions(of ids: [[UInt8]]) async throws -> [[UInt8]: Int]? { nil }
}
