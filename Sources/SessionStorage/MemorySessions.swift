public import BusinessLogic
internal import Synchronization

/// Stores sessions in memory: for tests, for a process with several services, and to move sessions from one service to another.
public final class MemorySessions: SessionStore {
    private struct Shared {
        var session: SharedSession
        var tokens: [[UInt8]]
    }

    private struct State {
        var saved: [[UInt8]: StoredSession] = [:]
        var shared: [[UInt8]: Shared] = [:]
        var replaced: [[UInt8]: SessionChange.UserChange] = [:]
        /// The number of the last revocation of each user.
        var revocations: [String: Int] = [:]
        var lastRevocation = 0
    }

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
            if let userChange = change.userChange, let replaced = userChange.replacedID {
                state.shared[replaced] = nil
                state.replaced[replaced] = userChange
            }
            let version = change.version + 1
            let events = (former?.session.events ?? []).filter { $0.version >= change.oldestEvent }
            state.shared[change.session.id] = Shared(
                session: SharedSession(
                    session: change.session.created(former?.session.session.created),
                    version: version,
                    events: events + [StoredEvent(version: version, content: change.event)]
                ),
                tokens: (former?.tokens ?? []) + [change.token]
            )
            return .committed
        }
    }

    public func touch(_ id: [UInt8], at now: Timestamp) async throws {
        state.withLock { state in
            guard let shared = state.shared[id]?.session else { return }
            let session = shared.session
            state.shared[id]?.session = SharedSession(
                session: session.used(max(session.lastUsed, now)),
                version: shared.version,
                events: shared.events
            )
        }
    }

    public func end(_ id: [UInt8]) async throws {
        state.withLock { $0.shared[id] = nil }
    }

    public func endSessions(ofUser user: String) async throws {
        state.withLock { state in
            state.lastRevocation += 1
            state.revocations[user] = state.lastRevocation
            state.shared = state.shared.filter { $0.value.session.session.user != user }
        }
    }

    public func removeSessions(_ condition: SessionRemoval) async throws -> Int {
        state.withLock { state in
            state.replaced = state.replaced.filter { condition.now < $0.value.expires }
            for (id, change) in state.replaced where change.time > condition.latest {
                state.replaced[id]?.time = condition.now
            }
            let count = state.shared.count
            state.shared = state.shared.filter { _, shared in
                shared.session.session.lastUsed >= condition.lastUsed
                    && shared.session.session.created >= condition.created
            }
            let sessions = state.shared.values.map(\.session.session).sorted {
                ($0.user == nil ? 0 : 1, $0.lastUsed) < ($1.user == nil ? 0 : 1, $1.lastUsed)
            }
            for session in sessions.prefix(max(0, sessions.count - condition.maximum)) {
                state.shared[session.id] = nil
            }
            for shared in state.shared.values.map(\.session) {
                let session = shared.session
                guard max(session.created, session.lastUsed) > condition.latest else { continue }
                state.shared[session.id]?.session = SharedSession(
                    session: session.created(min(session.created, condition.now))
                        .used(min(session.lastUsed, condition.now)),
                    version: shared.version,
                    events: shared.events
                )
            }
            return count - state.shared.count
        }
    }
}

extension StoredSession {
    /// The session with that time of its creation, if there is one.
    fileprivate func created(_ time: Timestamp?) -> StoredSession {
        StoredSession(id: id, user: user, created: time ?? created, lastUsed: lastUsed, content: content)
    }

    /// The session with that time of its last use.
    fileprivate func used(_ time: Timestamp) -> StoredSession {
        StoredSession(id: id, user: user, created: created, lastUsed: time, content: content)
    }
}
