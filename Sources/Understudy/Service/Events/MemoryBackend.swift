import BusinessLogic
import HTTPMessages
import SessionStorage
import UnderstudyPages
import UnderstudySessions

struct MemoryBackend: SessionBackend {
    let service: UnderstudyService
    /// A use postpones the session's expiry.
    var isUse = true

    var maximumRuns: Int { 1 }

    var lastRevocation: Int { service.liveSessions.lastRevocation }

    func inUnitOfWork<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result { try await body() }

    func acquire(_ credential: SessionCredential) async throws -> SessionAcquisition {
        guard let id = credential.id else { return try .missing(credential) }
        let (liveSessions, now) = (service.liveSessions, service.sessionTime)
        if let session = liveSessions.find(id, at: now, isUse: isUse) {
            let lease = try await service.lease(session)
            if session.isCurrent(for: credential) {
                try service.decodeIfSaved(session)
                return .session(lease, isFresh: true)
            }
            guard let replaced = liveSessions.replacedSession(id, at: now) else { throw Problem.sessionHasChanged }
            return .replaced(replaced.response)
        }
        if let replaced = liveSessions.replacedSession(id, at: now) { return .replaced(replaced.response) }
        return try .missing(credential)
    }

    func start(_ id: SessionID, for request: Request, isContinued: Bool) async throws -> Session.Lease {
        let session = service.newSession(id, for: request, at: service.sessionTime, isContinued: isContinued)
        return try await service.lease(session)
    }

    func insert(_ session: Session) async throws { service.liveSessions.insert(session, at: session.created) }

    func discard(_ session: Session) { service.sessionEnds?.add(key: session.values.takeKey()) }

    func end(_ session: Session) async throws {
        service.liveSessions.remove(session)
        // At once: the lock of the session is held.
        discard(session)
    }

    func isCurrent(_ session: Session) async throws -> Bool { true }

    func commit(_ event: HandledEvent, _ response: Response) async throws -> Bool {
        let session = event.session
        session.countEvent()
        if event.newToken != nil || event.renewal != nil {
            try save(event, response)
        } else {
            service.resize(session)
        }
        return true
    }

    func commitUpdate(in session: Session, since start: Int) async throws -> Bool {
        service.resize(session)
        return true
    }

    /// Adds a new session to the store, or gives a session another ID.
    private func save(_ event: HandledEvent, _ response: Response) throws(Problem) {
        let (liveSessions, session, now) = (service.liveSessions, event.session, service.sessionTime)
        let isStored: Bool
        if let renewal = event.renewal {
            service.resize(session)
            isStored = liveSessions.rename(
                session,
                to: renewal.id,
                response: event.event.seal(response, of: renewal.id),
                at: now,
                revocations: event.lastRevocation
            )
        } else {
            session.shardEntry.size = session.trimmedSize(maximum: service.configuration.sessions.maximumSize)
            isStored = liveSessions.insert(session, at: now, revocations: event.lastRevocation)
        }
        service.sessionEnds?.add(key: session.values.takeFormerKey())
        guard isStored else { throw .sessionHasChanged }
    }

    func commitFailure(of event: PostedEvent, in session: Session, isFresh: Bool) async throws -> Bool { true }
}
