import BusinessLogic
import HTTPMessages
import SessionStorage
import Synchronization
import UnderstudyPages
import UnderstudySessions

/// An event's response is sent after the session, the response and what collaborators have written to the same database are stored in one
/// transaction. If another event has changed the session first, the event runs again.
struct DatabaseBackend: SessionBackend {
    let service: UnderstudyService
    let shared: SharedSessions
    let work: UnitOfWork

    let isUse: Bool

    init(_ service: UnderstudyService, _ shared: SharedSessions, isUse: Bool = true) {
        self.service = service
        self.isUse = isUse
        self.shared = shared
        work = UnitOfWork(database: shared.store.database)
    }

    var maximumRuns: Int { 4 }

    var lastRevocation: Int { shared.lastRevocation.load(ordering: .relaxed) }

    private var liveSessions: LiveSessions { service.liveSessions }
    private var configuration: ServiceConfiguration { service.configuration }

    // MARK: Finding a session

    func acquire(_ credential: SessionCredential) async throws -> SessionAcquisition {
        guard let id = credential.id else { return try .missing(credential) }
        var loaded: Session?
        // A session in memory ends if it is evicted, or if an event could not be committed. Then it is read again.
        for _ in 0..<10 {
            let now = configuration.clock.now
            if let session = liveSessions.find(id, at: now, isUse: isUse) {
                let lease = try await service.lease(session)
                if session.isCurrent(for: credential) { return .session(lease, isFresh: session === loaded) }
            }
            switch try await shared.store.find(id.bytes, unlessVersion: 0) {
            case .found(let state):
                guard !liveSessions.hasExpired(created: state.created, lastUsed: state.lastUsed, at: now) else {
                    return try .missing(credential)
                }
                let session = try await restored(state, id)
                session.shardEntry.size = session.trimmedSize(maximum: configuration.sessions.maximumSize)
                loaded = liveSessions.restore(session, state, lastUsed: state.lastUsed)
            case .replaced(let response): return .replaced(response.flatMap(SealedResponse.init(json:)))
            case .unchanged, .unknown: return try .missing(credential)
            }
        }
        throw Problem(.overloaded, "The session is in use by too many requests.", retryAfter: .seconds(1))
    }

    /// A session that is damaged leaves the database. Throws ``Problem`` `notAuthenticated` if it cannot be restored.
    private func restored(_ state: StoredSession, _ id: SessionID) async throws -> Session {
        do {
            try state.check()
            let session = Session(state, id: id, created: state.created, log: service.newLog())
            try service.restore(state, in: session, isShared: true)
            return session
        } catch {
            service.reportFailure(toRestore: id.brief, error)
            // Another one stays in the database, because a server with a later version may be able to read it.
            if error is DamagedSession { try await shared.store.end(id.bytes) }
            throw Problem.sessionHasChanged
        }
    }

    func start(_ id: SessionID, for request: Request, isContinued: Bool) async throws -> Session.Lease {
        try await service.loadAddressKey(from: shared.store)
        let session = service.newSession(id, for: request, at: configuration.clock.now, isContinued: isContinued)
        session.sharedVersion = SharedVersion()
        return try await service.lease(session)
    }

    func isCurrent(_ session: Session) async throws -> Bool {
        let id = session.id.bytes
        let version = session.sharedVersion?.number ?? 0
        guard case .unchanged(let lastUsed) = try await shared.store.find(id, unlessVersion: version) else {
            liveSessions.remove(session)
            return false
        }
        if isUse { try await use(session, lastUsed: lastUsed) }
        return true
    }

    /// Records that a request has used a session without changing it, if that can affect when the session ends.
    private func use(_ session: Session, lastUsed: Timestamp) async throws {
        let now = configuration.clock.now
        let isSecond =
            lastUsed <= session.created && session.sharedVersion?.number == 1 && session.identity.user == nil
        // A tenth of the time, so that few requests write and no used session expires.
        guard isSecond || now >= lastUsed + configuration.sessions.idle / 10 else { return }
        // Later than the start, so that the session counts as used, although both requests are of the same millisecond.
        try await shared.store.touch(session.id.bytes, at: max(now, lastUsed + .milliseconds(1)))
    }

    // MARK: Sessions without events

    func insert(_ session: Session) async throws {
        let change = try session.change(size: session.shardEntry.size, at: session.created)
        // The ID is random, so that no other session has it.
        guard try await shared.store.commit(change, with: []) == .committed else {
            throw CollaboratorError.unavailable(retryAfter: .seconds(1))
        }
        session.sharedVersion?.add(session)
        liveSessions.insert(session, at: session.created)
    }

    // The key of a session is known to the store, which reports the keys of ended sessions.
    func discard(_ session: Session) {}

    func end(_ session: Session) async throws {
        try await shared.store.end(session.id.bytes)
        liveSessions.remove(session)
    }

    // MARK: Storing an event

    func inUnitOfWork<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await UnitOfWork.$ofTask.withValue(work) {
            _ = isolation
            return try await body()
        }
    }

    func commit(_ event: HandledEvent, _ response: Response) async throws -> Bool {
        let session = event.session
        let now = configuration.clock.now
        var userChange: SessionChange.UserChange?
        if session.identity.hasChanged {
            userChange = SessionChange.UserChange(
                replacedID: event.renewal == nil ? nil : session.id.bytes,
                response: event.event.seal(response, of: event.renewal?.id)?.json,
                time: now,
                lastRevocation: event.lastRevocation
            )
        }
        let isCommitted = try await commit(
            session,
            since: event.start,
            key: event.event.key,
            userChange: userChange,
            id: event.renewal?.id,
            at: now
        )
        guard isCommitted else { return false }
        if event.newToken != nil {
            liveSessions.insert(session, at: now)
        } else if event.renewal != nil {
            // The first request with the new token reads the session.
            liveSessions.remove(session)
        }
        await work.finish()
        return true
    }

    func commitUpdate(in session: Session, since start: Int) async throws -> Bool {
        guard try await commit(session, since: start, at: liveSessions.lastUse(of: session)) else { return false }
        await work.finish()
        return true
    }

    func commitFailure(of event: PostedEvent, in session: Session, isFresh: Bool) async throws -> Bool {
        work.restart()
        guard session.sharedVersion?.number != 0, !session.hasEnded else { return true }
        if !isFresh, try await !isCurrent(session) { return false }
        guard let key = event.key, session.idempotencyCache[key] != nil else { return true }
        _ = try await commit(session, since: session.history.sequence, key: key, at: configuration.clock.now)
        return true
    }

    /// Also commits the writes of the event's collaborators. If that fails, removes the session from memory and forgets the writes.
    private func commit(
        _ session: Session,
        since start: Int,
        key: String? = nil,
        userChange: SessionChange.UserChange? = nil,
        id: SessionID? = nil,
        at now: Timestamp
    ) async throws -> Bool {
        let size = session.trimmedSize(maximum: configuration.sessions.maximumSize)
        do {
            var change = try session.change(since: start, key: key, userChange: userChange, id: id, size: size, at: now)
            // Without a hook, no server would remove the keys of ended sessions from the store.
            if service.sessionEnds == nil { change.session.key = nil }
            switch try await shared.store.commit(change, with: work.writes) {
            case .committed:
                session.sharedVersion?.add(session, key: key)
                if size != session.shardEntry.size { liveSessions.resize(session, to: size) }
                return true
            case .conflict:
                work.restart()
            case .revoked(let last):
                shared.lastRevocation.store(last, ordering: .relaxed)
                // The password may have changed since it was verified.
                work.restart(forgettingResults: true)
            }
        } catch {
            liveSessions.remove(session)
            throw error
        }
        liveSessions.remove(session)
        return false
    }
}
