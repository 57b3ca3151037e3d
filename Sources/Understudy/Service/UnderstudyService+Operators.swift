import BusinessLogic
package import SessionStorage
import UnderstudySessions

/// The sessions in the memory of this process, for operators.
extension UnderstudyService {
    /// One page of the sessions, in the order in which they were started.
    ///
    /// - Parameters:
    ///   - last: the number of the session after which the page begins; 0 for the first page.
    ///   - limit: the maximum number of sessions, at least 1.
    ///   - isSelected: which sessions. It must return fast, because requests wait for it.
    package func sessionsInMemory(
        after last: Int,
        limit: Int,
        where isSelected: (ListedSession) -> Bool
    ) -> [ListedSession] {
        liveSessions.list(after: last, limit: limit, at: sessionTime, shift: clockShift, where: isSelected)
    }

    /// What a session contains, between two of its events; `nil` if there is no such session.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` if too many requests wait for the session; `EncodingError` if the
    ///   state of a controller cannot be encoded.
    package func sessionInMemory(_ id: [UInt8]) async throws -> StoredSession? {
        guard let id = SessionID(bytes: id), let session = liveSessions.find(id, at: sessionTime, isUse: false) else {
            return nil
        }
        let lease = try await lease(session)
        return session.hasEnded || session.shardEntry.id != id ? nil : try content(of: lease.session)
    }

    /// Ends a session.
    ///
    /// - Returns: `false` if there is no such session.
    package func endSessionInMemory(_ id: [UInt8]) -> Bool {
        guard let id = SessionID(bytes: id), let session = liveSessions.find(id, at: sessionTime, isUse: false) else {
            return false
        }
        liveSessions.remove(session)
        return true
    }
}
