import BusinessLogic
import CoreMetrics
import FoundationEssentials
import Logging
import MicroHTTP
import SessionStorage

/// Finds the session of a request in memory or in the database.
extension UnderstudyService {
    /// What a credential leads to.
    enum SharedLookup {
        /// A session, whose lock the caller holds and must release.
        ///
        /// - Parameter isFresh: whether the session has been read from the database for this request. Otherwise, another server may have
        ///   changed or ended it.
        case session(Session, isFresh: Bool)
        /// The client has no session and may start one.
        case none
        /// A login or logout has replaced the session's ID less than a minute ago.
        case replaced(SealedResponse?)
    }

    /// Finds the client's session and acquires its lock.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if a bearer token is unknown or has expired; the store's error.
    func acquire(_ credential: SessionCredential, in shared: SharedSessions) async throws -> SharedLookup {
        guard let id = credential.id else {
            if credential.isBearer { throw Problem.unknownToken }
            return .none
        }
        var loaded: Session?
        // A session in memory ends if it is evicted, or if an event could not be committed. Then it is read again.
        for _ in 0..<10 {
            let now = configuration.clock.now
            if let session = store.find(id, at: now) {
                try await session.lock.acquire(limit: configuration.maximumWaitingEvents)
                if session.isCurrent(for: credential) { return .session(session, isFresh: session === loaded) }
                session.lock.release()
            }
            switch try await shared.store.find(id.bytes, unlessVersion: 0) {
            case .found(let state):
                guard !store.hasExpired(created: state.session.created, lastUsed: state.session.lastUsed, at: now)
                else { return try unknown(credential) }
                let session = try await restored(state, id, in: shared)
                session.storeEntry.size = session.trimmedSize(maximum: configuration.sessions.maximumSize)
                let lastUsed = state.session.lastUsed
                loaded = store.restore(session, state.session, lastUsed: lastUsed, version: state.version)
            case .replaced(let response): return .replaced(response.flatMap(SealedResponse.init(json:)))
            case .unchanged, .unknown: return try unknown(credential)
            }
        }
        throw Problem(.overloaded, "The session is in use by too many requests.", retryAfter: .seconds(1))
    }

    private func unknown(_ credential: SessionCredential) throws(Problem) -> SharedLookup {
        if credential.isBearer { throw Problem.unknownToken }
        return .none
    }

    /// The session in memory with the state of one in the database. One that is damaged leaves the database.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if the session cannot be restored; the store's error.
    private func restored(_ state: SharedSession, _ id: SessionID, in shared: SharedSessions) async throws -> Session {
        do {
            return try Session(state, id: id, pages: pages) { page, error in
                metrics.countDiscardedState(of: page)
                logger.warning(
                    "A page starts afresh, because its state cannot be restored",
                    metadata: ["session": "\(id.brief)", "page": "\(page.name)", "error": "\(error)"]
                )
            }
        } catch {
            reportFailure(toRestore: id.brief, error)
            // Another one stays in the database, because a server with a later version may be able to read it.
            if error is DamagedSession { try await shared.store.end(id.bytes) }
            throw Problem.sessionHasChanged
        }
    }

    /// Whether the session in memory is the current one. If it is not, removes it from memory, so that the next request reads it from
    /// the database. The caller holds the session's lock.
    ///
    /// - Throws: the store's error.
    func isCurrent(_ session: Session, in shared: SharedSessions) async throws -> Bool {
        let id = session.storeEntry.id.bytes
        let version = session.sharedVersion?.number ?? 0
        guard case .unchanged(let lastUsed) = try await shared.store.find(id, unlessVersion: version) else {
            store.remove(session)
            return false
        }
        try await use(session, lastUsed: lastUsed, in: shared)
        return true
    }

    /// Records that a request has used a session without changing it, if that can affect when the session ends. The caller holds the
    /// session's lock.
    private func use(_ session: Session, lastUsed: Timestamp, in shared: SharedSessions) async throws {
        let now = configuration.clock.now
        let isSecond =
            lastUsed <= session.created && session.sharedVersion?.number == 1 && session.identity.user == nil
        // A tenth of the time, so that few requests write and no used session expires.
        guard isSecond || now >= lastUsed + configuration.sessions.idle / 10 else { return }
        // Later than the start, so that the session counts as used, although both requests are of the same millisecond.
        try await shared.store.touch(session.storeEntry.id.bytes, at: max(now, lastUsed + .milliseconds(1)))
    }

    /// Runs `body` while holding the lock of the client's session, which is the current one.
    ///
    /// - Returns: `nil` if the client has no session and may start one.
    /// - Throws: as ``withSession(of:_:)``, and the store's error.
    func withSession(
        of credential: SessionCredential,
        in shared: SharedSessions,
        _ body: (Session) async throws -> Response
    ) async throws -> Response? {
        for _ in 0..<SharedSessions.maximumRuns {
            switch try await acquire(credential, in: shared) {
            case .none: return nil
            case .replaced: throw Problem.sessionHasChanged
            case .session(let session, _):
                defer { session.lock.release() }
                if try await !isCurrent(session, in: shared) { continue }
                return try await body(session)
            }
        }
        throw Problem.changesTooOften
    }

    /// Removes expired sessions, and those that exceed a limit, from the database, unless the clock is not reliable.
    func removeExpiredSharedSessions() async {
        guard let shared, configuration.clock.isReliable else { return }
        let now = configuration.clock.now
        let limits = configuration.sessions
        let condition = SessionRemoval(
            lastUsed: now - limits.idle,
            created: now - limits.lifetime,
            maximum: limits.maximum,
            maximumMemory: limits.maximumMemory,
            maximumPerAddress: limits.maximumPerAddress,
            now: now
        )
        // If the database is not available, the next call removes them. The store reports why.
        guard let removed = try? await shared.store.removeSessions(condition) else { return }
        metrics.sessions.expired.increment(by: removed.expired)
        metrics.sessions.evicted.increment(by: removed.evicted)
    }
}

extension Problem {
    /// Other requests have changed the session each time before this one could.
    static let changesTooOften = Problem(
        .overloaded,
        "Other requests change the session at the same time.",
        retryAfter: .seconds(1)
    )
}

extension SealedResponse {
    /// The response as JSON; `nil` if it cannot be encoded.
    var json: [UInt8]? { (try? JSONEncoder().encode(self)).map(Array.init) }

    /// Reads a response that ``json`` has returned.
    init?(json: [UInt8]) {
        guard let response = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
        self = response
    }
}
