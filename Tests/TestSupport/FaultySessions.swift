import AccountsSQLite
import Synchronization

/// Sessions in an SQLite database in memory, which fail on demand.
@dynamicMemberLookup
package final class FaultySessions: SessionStore {
    package struct Faults {
        package var fails = false
        /// How many of the next calls fail.
        package var failures = 0
        /// How many of the next commits find that another event was first.
        package var conflicts = 0
        /// The deadline of the last attempt to save sessions.
        package var deadline: ContinuousClock.Instant?
    }

    let store: any SessionStore
    let state = Mutex((faults: Faults(), ids: Set<[UInt8]>()))

    package init() {
        do {
            store = try SQLiteDatabase.inMemory().sessions { 0 }
        } catch {
            fatalError("\(error)")
        }
    }

    package subscript<Content: Sendable>(dynamicMember path: WritableKeyPath<Faults, Content>) -> Content {
        get { state.withLock { $0.faults[keyPath: path] } }
        set { state.withLock { $0.faults[keyPath: path] = newValue } }
    }

    /// All sessions.
    package var all: [StoredSession] {
        get async throws {
            var all: [StoredSession] = []
            for id in state.withLock({ $0.ids }) {
                if case .found(let session) = try await store.find(id, unlessVersion: 0) { all.append(session) }
            }
            return all
        }
    }

    /// The store, while it is available.
    var reachable: any SessionStore {
        get throws {
            let fails = state.withLock { state in
                defer { state.faults.failures = max(0, state.faults.failures - 1) }
                return state.faults.fails || state.faults.failures > 0
            }
            if fails { throw CollaboratorError.outage() } else { return store }
        }
    }

    package var addressKey: [UInt8] { get async throws { try await reachable.addressKey } }
    package var database: ObjectIdentifier? { nil }
    package var isAvailable: Bool { !self.fails }

    package func save(_ sessions: [StoredSession], until deadline: ContinuousClock.Instant) async throws {
        self.deadline = deadline
        try await reachable.save(sessions, until: deadline)
    }

    package func take(limit: Int) async throws -> [StoredSession] { try await reachable.take(limit: limit) }

    package func find(_ id: [UInt8], unlessVersion known: Int) async throws -> SessionLookup {
        try await reachable.find(id, unlessVersion: known)
    }

    package func versions(of ids: [[UInt8]]) async throws -> [[UInt8]: Int]? { try await reachable.versions(of: ids) }

    package func commit(_ change: SessionChange, with writes: [any StoreWrite]) async throws -> CommitResult {
        let store = try reachable
        let conflicts = state.withLock { state in
            state.ids.insert(change.session.id)
            defer { state.faults.conflicts = max(0, state.faults.conflicts - 1) }
            return state.faults.conflicts > 0
        }
        return conflicts ? .conflict : try await store.commit(change, with: writes)
    }

    package func touch(_ id: [UInt8], at now: Timestamp) async throws { try await reachable.touch(id, at: now) }
    package func end(_ id: [UInt8]) async throws { try await reachable.end(id) }
    package func endSessions(ofUser user: String) async throws { try await reachable.endSessions(ofUser: user) }

    package func sessions(ofUser user: String) async throws -> [UserSession] {
        try await reachable.sessions(ofUser: user)
    }

    package func claimEndedSessions(limit: Int, at now: Timestamp) async throws -> [String] {
        try await reachable.claimEndedSessions(limit: limit, at: now)
    }

    package func removeEndedSession(_ key: String) async throws { try await reachable.removeEndedSession(key) }

    package func removeSessions(exceeding limits: SessionLimits, at now: Timestamp) async throws -> RemovedSessions {
        try await reachable.removeSessions(exceeding: limits, at: now)
    }
}
