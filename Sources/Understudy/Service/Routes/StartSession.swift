import BusinessLogic
import HTTPMessages
import UnderstudySessions

extension UnderstudyService {
    /// `POST /session`: starts a session for a client without cookies.
    func startSession(_ request: Request) async throws -> Response {
        .json(["token": .string(try await startSession(for: request).text)], status: 201)
    }

    /// Starts a session, and returns its token.
    func startSession(for request: Request) async throws -> SessionToken {
        if let shared { try await loadAddressKey(from: shared.store) }
        let now = sessionTime
        let token = SessionToken.random()
        let session = newSession(token.id, for: request, at: now)
        session.shardEntry.size = 1024
        try await shared?.create(session, at: now)
        _ = liveSessions.insert(session, at: now, revocations: liveSessions.lastRevocation)
        return token
    }
}
