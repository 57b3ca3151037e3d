import BusinessLogic
import SessionStorage
import Synchronization
import TestSupport

@testable import Understudy

/// A store in memory that fails on demand, and in a cancelled task, as a database does.
final class FaultySessions: SessionStore {
    private let store = MemorySessionStore()
    private let state = Mutex((fails: false, conflicts: 0, ids: Set<[UInt8]>()))

    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    /// How many of the next commits find that another event was first.
    var conflicts: Int {
        get { state.withLock { $0.conflicts } }
        set { state.withLock { $0.conflicts = newValue } }
    }

    /// All sessions.
    var all: [SessionLookup] {
        get async throws {
            var found: [SessionLookup] = []
            for id in state.withLock({ $0.ids }) {
                let session = try await store.find(id, unlessVersion: 0)
                if case .found = session { found.append(session) }
            }
            return found
        }
    }

    /// The store, while it is available.
    private var reachable: MemorySessionStore {
        get throws { if fails { throw CollaboratorError.unavailable(retryAfter: .seconds(1)) } else { store } }
    }

    var addressKey: [UInt8] { get throws { try reachable.addressKey } }
    var database: ObjectIdentifier? { nil }
    var isAvailable: Bool { !fails }

    func save(_ sessions: [StoredSession]) async throws {
        try Task.checkCancellation()
        try await reachable.save(sessions)
    }

    func take(limit: Int) async throws -> [StoredSession] {
        try Task.checkCancellation()
        return try await reachable.take(limit: limit)
    }

    func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup {
        try await reachable.find(id, unlessVersion: known)
    }

    func versions(of ids: [[UInt8]]) async throws -> [[UInt8]: Int]? { try await reachable.versions(of: ids) }

    func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        let store = try reachable
        let conflicts = state.withLock { state in
            state.ids.insert(change.session.id)
            defer { state.conflicts = max(0, state.conflicts - 1) }
            return state.conflicts > 0
        }
        return conflicts ? .conflict : try await store.commit(change, with: writes)
    }

    func touch(_ id: [UInt8], at now: Timestamp) async throws { try await reachable.touch(id, at: now) }
    func end(_ id: [UInt8]) async throws { try await reachable.end(id) }
    func endSessions(ofUser user: String) async throws { try await reachable.endSessions(ofUser: user) }

    func claimEndedSessions(limit: Int, at now: Timestamp) async throws -> [String] {
        try await reachable.claimEndedSessions(limit: limit, at: now)
    }

    func removeEndedSession(_ key: String) async throws { try await reachable.removeEndedSession(key) }

    func removeSessions(_ condition: SessionRemoval) async throws -> RemovedSessions {
        try await reachable.removeSessions(condition)
    }
}
