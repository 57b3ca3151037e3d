import BusinessLogic
import Synchronization

/// Stores sessions in memory, for tests, and to move sessions from one service to another in the same process.
public final class MemorySavedSessions: SessionStore {
    private let sessions = Mutex<[[UInt8]: StoredSession]>([:])

    /// Creates an empty store.
    public init() {}

    public func save(_ sessions: [StoredSession]) async throws {
        self.sessions.withLock { saved in
            for session in sessions { saved[session.id] = session }
        }
    }

    public func take(limit: Int) async throws -> [StoredSession] {
        sessions.withLock { saved in
            let oldest = saved.values.sorted { ($0.lastUsed, $0.created) < ($1.lastUsed, $1.created) }.prefix(
                max(1, limit)
            )
            for session in oldest { saved[session.id] = nil }
            return Array(oldest)
        }
    }
}
