public import BusinessLogic
internal import Synchronization

/// Stores sessions in memory: for tests, for a process with several services, and to move sessions from one service to another.
public final class MemorySessionStore: SessionStore {
    fileprivate struct Shared {
        var session: SharedSession
        var tokens: [[UInt8]]
        var size: Int
        /// The number of sessions that were started before.
        var number: Int
    }

    fileprivate struct State {
        var saved: [[UInt8]: StoredSession] = [:]
        var shared: [[UInt8]: Shared] = [:]
        var replaced: [[UInt8]: SessionChange.UserChange] = [:]
        /// The number of the last revocation of each user.
        var revocations: [String: Int] = [:]
        var lastRevocation = 0
        var started = 0
        /// The keys of sessions that have ended, how often each was claimed, and when it can be claimed again.
        var ended: [String: (attempts: Int64, due: Timestamp)] = [:]
    }

    /// The key with which servers hash the addresses of sessions.
    public let addressKey = (0..<32).map { _ in UInt8.random(in: .min ... .max) }

    private let state = Mutex(State())

    /// Creates an empty store.
    public init() {}

    // MARK: Saved sessions

    public func save(_ sessions: [StoredSession]) async throws {
        state.withLock { state in
            for session in sessions { state.saved[session.id] = session }
        }
    }

    public func take(limit: Int) async throws -> [StoredSession] {
        state.withLock { state in
            let oldest = state.saved.values.sorted { ($0.lastUsed, $0.created) < ($1.lastUsed, $1.created) }.prefix(
                max(1, limit)
            )
            for session in oldest { state.saved[session.id] = nil }
            return Array(oldest)
        }
    }

    // MARK: Shared sessions

    public var database: ObjectIdentifier? { nil }

    public func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup {
        state.withLock { state in
            guard let shared = state.shared[id]?.session else {
                return state.replaced[id].map { .replaced(response: $0.response) } ?? .unknown
            }
            return shared.version == known ? .unchanged(lastUsed: shared.session.lastUsed) : .found(shared)
        }
    }

    public func versions(of ids: [[UInt8]]) async throws -> [[UInt8]: Int]? {
        state.withLock { state in
            Dictionary(ids.compactMap { id in state.shared[id].map { (id, $0.session.version) } }) { $1 }
        }
    }

    public func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        state.withLock { state in
            if let stored = state.shared[change.session.id], stored.tokens.contains(change.token) { return .committed }
            let former = state.shared[change.currentID]
            guard former?.session.version ?? 0 == change.version else { return .conflict }
            if let user = change.session.user, let known = change.userChange?.lastRevocation,
                state.revocations[user] ?? 0 > known
            {
                return .revoked(last: state.lastRevocation)
            }
            let formerKey = former?.session.session.key
            if let formerKey, let key = change.session.key, key != formerKey { state.addEnded(formerKey) }
            if let userChange = change.userChange, let replaced = userChange.replacedID {
                state.shared[replaced] = nil
                state.replaced[replaced] = userChange
            }
            let version = change.version + 1
            let events = (former?.session.events ?? []).filter { $0.version >= change.oldestEvent }
            var session = change.session
            if let former = former?.session.session {
                session.created = former.created
                session.lastUsed = max(former.lastUsed, session.lastUsed)
                session.address = former.address
                session.key = session.key ?? former.key
            }
            state.shared[session.id] = Shared(
                session: SharedSession(
                    session: session,
                    version: version,
                    events: events + [StoredEvent(version: version, content: change.event)]
                ),
                tokens: (former?.tokens ?? []) + [change.token],
                size: change.size,
                number: former?.number ?? state.started
            )
            if former == nil { state.started += 1 }
            return .committed
        }
    }

    public func touch(_ id: [UInt8], at now: Timestamp) async throws {
        state.withLock { state in
            guard let lastUsed = state.shared[id]?.session.session.lastUsed else { return }
            state.shared[id]?.session.session.lastUsed = max(lastUsed, now)
        }
    }

    public func end(_ id: [UInt8]) async throws {
        state.withLock { $0.end(id) }
    }

    public func endSessions(ofUser user: String) async throws {
        state.withLock { state in
            state.lastRevocation += 1
            state.revocations[user] = state.lastRevocation
            for shared in Array(state.shared.values) where shared.session.session.user == user {
                state.end(shared.session.session.id)
            }
        }
    }

    public func sessions(ofUser user: String) async throws -> [UserSession] {
        state.withLock { state in
            state.shared.values.map(\.session.session).filter { $0.user == user }.compactMap(UserSession.init)
        }
    }

    public func removeSessions(_ condition: SessionRemoval) async throws -> RemovedSessions {
        state.withLock { state in
            state.replaced = state.replaced.filter { condition.now < $0.value.expires }
            for (id, change) in state.replaced where change.time > condition.latest {
                state.replaced[id]?.time = condition.now
            }
            state.limitTimes(condition)
            let count = state.shared.count
            for session in state.shared.values.map(\.session.session)
            where session.lastUsed <= condition.lastUsed || session.created <= condition.created {
                state.end(session.id)
            }
            let live = state.shared.count
            state.endExcessOfAddresses(condition)
            state.endExcess(condition)
            return RemovedSessions(expired: count - live, evicted: live - state.shared.count)
        }
    }

    // MARK: Sessions that have ended

    public func claimEndedSessions(limit: Int, at now: Timestamp) async throws -> [String] {
        state.withLock { state in
            let keys = state.ended.filter { $0.value.due <= now }.keys.prefix(max(1, limit))
            for key in keys {
                let attempts = state.ended[key]?.attempts ?? 0
                state.ended[key] = (attempts + 1, now + .seconds(60 * (1 + min(attempts, 59))))
            }
            return Array(keys)
        }
    }

    public func removeEndedSession(_ key: String) async throws {
        state.withLock { $0.ended[key] = nil }
    }
}

extension MemorySessionStore.State {
    /// Ends a shared session.
    fileprivate mutating func end(_ id: [UInt8]) {
        if let key = shared.removeValue(forKey: id)?.session.session.key { addEnded(key) }
    }

    fileprivate mutating func addEnded(_ key: String) {
        ended[key] = (0, Timestamp(milliseconds: 0))
    }

    /// Sets times in the future to the present.
    fileprivate mutating func limitTimes(_ condition: SessionRemoval) {
        for session in shared.values.map(\.session.session) {
            guard max(session.created, session.lastUsed) > condition.latest else { continue }
            shared[session.id]?.session.session.created = min(session.created, condition.now)
            shared[session.id]?.session.session.lastUsed = min(session.lastUsed, condition.now)
        }
    }

    /// Ends the oldest sessions of each address with too many.
    fileprivate mutating func endExcessOfAddresses(_ condition: SessionRemoval) {
        guard let maximum = condition.maximumPerAddress else { return }
        let counted = shared.values.filter { $0.session.session.user == nil && $0.session.session.address != nil }
        for sessions in Dictionary(grouping: counted, by: \.session.session.address).values {
            let oldest = sessions.sorted {
                ($0.session.session.created, $0.number) < ($1.session.session.created, $1.number)
            }
            for excess in oldest.dropLast(maximum) { end(excess.session.session.id) }
        }
    }

    /// Ends sessions while there are too many, or they take too much memory.
    fileprivate mutating func endExcess(_ condition: SessionRemoval) {
        var memory = shared.values.reduce(0) { $0 + $1.size }
        var counts: [String: Int] = [:]
        let newestFirst = shared.values.sorted {
            ($0.session.session.created, $0.number) > ($1.session.session.created, $1.number)
        }
        let classified = newestFirst.map { session -> (order: SessionClass, session: MemorySessionStore.Shared) in
            guard let user = session.session.session.user else { return (session.sessionClass, session) }
            counts[user, default: 0] += 1
            return (counts[user, default: 0] > SessionClass.maximumPerAccount ? .surplus : .loggedIn, session)
        }
        let ordered = classified.sorted {
            ($0.order, $0.session.session.session.lastUsed, $0.session.number)
                < ($1.order, $1.session.session.session.lastUsed, $1.session.number)
        }
        for (_, excess) in ordered {
            guard shared.count > condition.maximum || memory > condition.maximumMemory else { return }
            end(excess.session.session.id)
            memory -= excess.size
        }
    }
}

extension MemorySessionStore.Shared {
    fileprivate var sessionClass: SessionClass { SessionClass(of: session.session, version: session.version) }
}
