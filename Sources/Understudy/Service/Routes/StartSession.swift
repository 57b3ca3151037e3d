import BusinessLogic
import HTTPMessages
import UnderstudySessions

extension UnderstudyService {
    /// `POST /session`: starts a session for a client without cookies.
    func startSession(_ request: Request) async throws -> Response {
        .json(["token": .string(try await startSession(for: request).text)], status: 201)
    }

    /// Starts a session, and returns its token.
    ///
    /// - Parameter snapshot: what the session contains at first; `nil` for a session without content.
    func startSession(for request: Request, from snapshot: SessionSnapshot? = nil) async throws -> SessionToken {
        if let shared { try await loadAddressKey(from: shared.store) }
        let now = sessionTime
        let token = SessionToken.random()
        let session = newSession(token.id, for: request, at: now, isContinued: snapshot != nil)
        if let snapshot { session.restore(snapshot, pages: pages) }
        session.shardEntry.size =
            snapshot == nil ? 1024 : session.trimmedSize(maximum: configuration.sessions.maximumSize)
        try await shared?.create(session, at: now)
        _ = liveSessions.insert(session, at: now, revocations: liveSessions.lastRevocation)
        return token
    }
}
