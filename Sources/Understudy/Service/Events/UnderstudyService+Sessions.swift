import BusinessLogic
import Addresses
import CoreMetrics
import HTTPMessages
import SessionStorage
import UnderstudyPages
import UnderstudySessions

extension UnderstudyService {
    /// The time by which sessions expire: that of the database, or, for sessions that are only in memory, one that is never set.
    var sessionTime: Timestamp { shared == nil ? configuration.clock.steady : configuration.clock.now }

    /// How far the clock is ahead of the time of sessions, because it was set; in whole seconds, because the two are not read at the same
    /// moment.
    var clockShift: Duration {
        let shift = configuration.clock.now.milliseconds(since: sessionTime)
        return .seconds((shift + (shift < 0 ? -500 : 500)) / 1000)
    }

    /// A session that is continued begins with the content of another one, so that a recording would lack its beginning.
    func newSession(_ id: SessionID, for request: Request, at now: Timestamp, isContinued: Bool) -> Session {
        // The events of a shared session can be on several servers, so that no recording would be complete.
        let isRecorded = recordsSessions && shared == nil && !isContinued
        return Session(
            id: id,
            now: now,
            address: limitedAddress(of: request).map { addressKey.hash($0) },
            observer: isRecorded ? .recorder(recorder(of: id)) : newLog().map(Session.Observer.log)
        )
    }

    /// A log for a session that is not recorded; `nil` unless tests control the service.
    func newLog() -> CollaboratorLog? { faults.map { CollaboratorLog(.ignoring, faults: $0) } }

    private func recorder(of id: SessionID) -> SessionRecorder {
        SessionRecorder(
            id.brief,
            in: configuration.recording,
            version: Self.version,
            context: recordingContext,
            log: CollaboratorLog(.recording, faults: faults),
            at: configuration.clock.now,
            logger: logger
        )
    }

    /// The address for limits; `nil` for this machine's own addresses, unless they are limited.
    func limitedAddress(of request: Request) -> IPAddress? {
        guard let address = request.clientAddress else { return nil }
        let isExempt = address.isLoopback && !request.isForwarded && !configuration.limitsLoopback
        return isExempt ? nil : address.rateLimitPrefix
    }

    /// Makes this service hash addresses with the key of a store, so that it recognises those of stored sessions.
    func loadAddressKey(from store: any SessionStore) async throws {
        if !addressKey.isStored { addressKey.use(try await store.addressKey) }
    }

    func credential(of request: Request) -> SessionCredential {
        SessionCredential(request, cookieName: configuration.cookieName)
    }

    /// Waits until other requests have used the session. Throws ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` if too many do.
    func lease(_ session: Session) async throws -> Session.Lease {
        if let lease = Session.Lease(ifFree: session) { return lease }
        let (trace, start) = (RequestTrace.current, ContinuousClock.now)
        let lease = try await Session.Lease(waitingFor: session, limit: configuration.maximumWaitingEvents)
        // Those before it have waited for the database, and so has this request.
        if let shared, !shared.store.isAvailable { trace?.waitsSince = trace?.waitsSince ?? start }
        return lease
    }

    /// Runs `body` while holding the lock of the client's session, which is the current one. If the session has changed on another server, `body`
    /// returns `nil`, and runs again. A use postpones the session's expiry.
    ///
    /// - Returns: `nil` if the client has no session and may start one.
    /// - Throws: ``Problem`` `notAuthenticated` if a bearer token is unknown, or the session has ended or got another ID while the request waited.
    func withSession<Result>(
        of credential: SessionCredential,
        isUse: Bool = true,
        _ body: (Session) async throws -> Result?
    ) async throws -> Result? {
        let backend = backend(isUse: isUse)
        for _ in 0..<backend.maximumRuns {
            switch try await backend.acquire(credential) {
            case .none: return nil
            case .replaced: throw Problem.sessionHasChanged
            case .session(let lease, _):
                if try await backend.isCurrent(lease.session), let result = try await body(lease.session) {
                    return result
                }
            }
        }
        throw Problem.changesTooOften
    }

    /// As ``withSession(of:isUse:_:)``, but throws ``Problem`` `notAuthenticated` if there is no session.
    func withRequiredSession<Result>(
        of credential: SessionCredential,
        isUse: Bool = true,
        _ body: (Session) async throws -> Result?
    ) async throws -> Result {
        if let result = try await withSession(of: credential, isUse: isUse, body) { return result }
        throw Problem(
            .notAuthenticated,
            credential == .unknown
                ? "The request names no session. POST /session starts one."
                : "There is no such session: the cookie is unknown or has expired. POST /session starts a new one."
        )
    }
}

/// Removes sessions that no request may use any more.
extension UnderstudyService {
    /// Removes expired sessions to free memory. Clients cannot use expired sessions in any case.
    ///
    /// ``UnderstudyServer`` calls this every second. Without a server, call it regularly. Removes nothing while the clock is not reliable.
    public func removeExpiredSessions() {
        guard configuration.clock.isReliable else { return }
        liveSessions.removeExpired(at: sessionTime)
    }

    /// Also removes sessions that exceed a limit. Does nothing if the clock is not reliable.
    func removeExpiredSharedSessions() async {
        guard let shared, configuration.clock.isReliable else { return }
        let (limits, now) = (liveSessions.limits, configuration.clock.now)
        // If the database is not available, the next call removes them. The store reports why.
        guard let removed = try? await shared.store.removeSessions(exceeding: limits, at: now) else { return }
        metrics.sessions.expired.increment(by: removed.expired)
        metrics.sessions.evicted.increment(by: removed.evicted)
    }
}

extension Session {
    /// Both its existence and its ID can change while a request waits.
    func isCurrent(for credential: SessionCredential) -> Bool { !hasEnded && id == credential.id }
}
