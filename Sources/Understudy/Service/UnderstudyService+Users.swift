public import BusinessLogic
public import SessionStorage
import UnderstudySessions

extension UnderstudyService: UserSessions {
    /// Ends all sessions in memory.
    package func endAllSessions() { liveSessions.removeAll() }

    /// Ends all sessions in which the user is logged in. The user must log in again.
    ///
    /// - Parameter user: the user's ID.
    /// - Throws: the error of the ``ServiceConfiguration/sessionStore`` in the mode ``SessionMode/database``.
    public func endSessions(ofUser user: String) async throws {
        try await shared?.store.endSessions(ofUser: user)
        liveSessions.removeSessions(ofUser: user)
    }

    /// The sessions that a user is logged in to. In the mode ``SessionMode/memory``, those of this service.
    ///
    /// - Parameter user: the user's ID.
    /// - Throws: the error of the ``ServiceConfiguration/sessionStore`` in the mode ``SessionMode/database``.
    public func sessions(ofUser user: String) async throws -> [UserSession] {
        if let shared { return try await shared.store.sessions(ofUser: user) }
        // On the clock that people read, which can have been set.
        let shift = clockShift
        return liveSessions.sessions(ofUser: user, at: sessionTime).map { session, lastUsed in
            UserSession(session.shardEntry.id.reference, created: session.created + shift, lastUsed: lastUsed + shift)
        }
    }

    /// Ends a session that a user is logged in to.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - user: the user's ID.
    /// - Returns: `false` if the user has no such session.
    /// - Throws: the error of the ``ServiceConfiguration/sessionStore`` in the mode ``SessionMode/database``.
    public func endSession(_ session: SessionReference, ofUser user: String) async throws -> Bool {
        let id = SessionID(session)
        guard let shared else { return liveSessions.remove(id, ofUser: user) }
        guard try await shared.store.sessions(ofUser: user).contains(where: { $0.session == session }) else {
            return false
        }
        try await shared.store.end(session.bytes)
        _ = liveSessions.remove(id, ofUser: user)
        return true
    }
}
