public import BusinessLogic
public import SessionStorage
import UnderstudySessions

extension UnderstudyService: UserSessions {
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
        guard let shared else { return liveSessions.sessions(ofUser: user, at: sessionTime, shift: clockShift) }
        return try await shared.store.sessions(ofUser: user)
    }

    /// Ends a session that a user is logged in to.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - user: the user's ID.
    /// - Returns: `false` if the user has no such session.
    /// - Throws: the error of the ``ServiceConfiguration/sessionStore`` in the mode ``SessionMode/database``.
    public func endSession(_ session: SessionID, ofUser user: String) async throws -> Bool {
        guard let shared else { return liveSessions.remove(session, ofUser: user) }
        guard try await sessions(ofUser: user).contains(where: { $0.session == session }) else { return false }
        try await shared.store.end(session.bytes)
        _ = liveSessions.remove(session, ofUser: user)
        return true
    }
}

extension UnderstudyService {
    /// One page of the sessions, in the order in which they were started. It begins after the session with the number `last`, 0 for the first page.
    /// `isSelected` must return fast, because requests wait for it. The limit is at least 1.
    package func sessionsInMemory(
        after last: Int,
        limit: Int,
        where isSelected: (ListedSession) -> Bool
    ) -> [ListedSession] {
        liveSessions.list(after: last, limit: limit, at: sessionTime, shift: clockShift, where: isSelected)
    }

    /// Waits for the end of an event; `nil` if there is no such session. Throws ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` if too
    /// many requests wait for the session.
    package func sessionInMemory(_ id: [UInt8]) async throws -> StoredSession? {
        guard let session = found(id) else { return nil }
        let lease = try await lease(session)
        return session.hasEnded || session.id.bytes != id ? nil : try content(of: lease.session)
    }

    /// Returns `false` if there is no such session.
    package func endSessionInMemory(_ id: [UInt8]) -> Bool {
        guard let session = found(id) else { return false }
        liveSessions.remove(session)
        return true
    }

    private func found(_ id: [UInt8]) -> Session? {
        SessionID(bytes: id).flatMap { liveSessions.find($0, at: sessionTime, isUse: false) }
    }
}
