import Synchronization

/// The sessions, in memory, found by their token. A mutex rather than an actor: its turn is not worth a hop.
final class SessionStore: Sendable {
    private let sessions = Mutex<[String: Session]>([:])

    /// Starts a session and returns its token, 128 random bits in hexadecimal.
    func create() -> String {
        let token = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        sessions.withLock { $0[token] = Session() }
        return token
    }

    /// Runs one turn of the session that `token` names; nil if there is none, or if it was idle for too long.
    func withSession<Result: Sendable>(_ token: String, _ turn: (inout Session) -> Result) -> Result? {
        sessions.withLock { sessions in
            let now = ContinuousClock.now
            guard var session = sessions[token], now - session.lastUsed < Session.idleLimit else {
                sessions[token] = nil
                return nil
            }
            session.lastUsed = now
            let result = turn(&session)
            sessions[token] = session
            return result
        }
    }
}
