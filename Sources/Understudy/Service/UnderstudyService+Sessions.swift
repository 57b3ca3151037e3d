import Addresses
import BusinessLogic
import MicroHTTP
import SessionStorage

/// Finds the session of a request, and runs code in it.
extension UnderstudyService {
    /// The time by which sessions expire: that of the database, or, for sessions that are only in memory, one that is never set.
    var sessionTime: Timestamp { shared == nil ? configuration.clock.steady : configuration.clock.now }

    /// How far the clock is ahead of the time of sessions, because it was set; in whole seconds, because the two are not read at the same
    /// moment.
    var clockShift: Duration {
        let shift = configuration.clock.now.milliseconds(since: sessionTime)
        return .seconds((shift + (shift < 0 ? -500 : 500)) / 1000)
    }

    /// A new session.
    func newSession(_ id: SessionID, for request: Request, at now: Timestamp) -> Session {
        // The events of a shared session can be on several servers, so that no recording would be complete.
        let recorder = (shared == nil ? configuration.recording : nil).map {
            SessionRecorder(id.brief, in: $0, version: Self.version, at: configuration.clock.now, logger: logger)
        }
        return Session(id: id, now: now, address: countedAddress(of: request), recorder: recorder)
    }

    /// The address for the limit on sessions; `nil` for this machine's own addresses, unless they are limited.
    private func countedAddress(of request: Request) -> AddressHash? {
        guard let address = request.clientAddress else { return nil }
        let isExempt = address.isLoopback && !request.isForwarded && !configuration.limitsLoopback
        return isExempt ? nil : addressKey.hash(address.rateLimitPrefix)
    }

    /// Makes this service hash addresses with the key of a store, so that it recognises those of stored sessions.
    ///
    /// - Throws: the store's error.
    func loadAddressKey(from store: any SessionStore) async throws {
        if !addressKey.isStored { addressKey.use(try await store.addressKey) }
    }

    /// The client's session; `nil` if the client has none and may start one.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if a bearer token is unknown or has expired, or a login has replaced the ID.
    func find(_ credential: SessionCredential, at now: Timestamp) throws(Problem) -> Session? {
        guard let id = credential.id else {
            if credential.isBearer { throw Problem.unknownToken }
            return nil
        }
        if let session = store.find(id, at: now) { return session }
        if credential.isBearer { throw Problem.unknownToken }
        if store.replacedSession(id, at: now) != nil { throw Problem.sessionHasChanged }
        return nil
    }

    /// Runs `body` while holding the lock of the client's session.
    ///
    /// - Returns: `nil` if the client has no session and may start one.
    /// - Throws: ``Problem`` `notAuthenticated` if a bearer token is unknown, or the session has ended or got another ID while the
    ///   request waited.
    func withSession(
        of credential: SessionCredential,
        _ body: (Session) async throws -> Response
    ) async throws -> Response? {
        if let shared { return try await withSession(of: credential, in: shared, body) }
        guard let session = try find(credential, at: sessionTime) else { return nil }
        return try await session.lock.withLock(limit: configuration.maximumWaitingEvents) {
            guard session.isCurrent(for: credential) else { throw Problem.sessionHasChanged }
            try decodeIfSaved(session)
            return try await body(session)
        }
    }

    /// Runs `body` while holding the lock of the request's session.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if there is no session.
    func perform(_ request: Request, _ body: (Session) async throws -> Response) async throws -> Response {
        let credential = SessionCredential(request, cookieName: configuration.cookieName)
        if let response = try await withSession(of: credential, body) { return response }
        throw Problem(
            .notAuthenticated,
            credential == .unknown
                ? "The request names no session. POST /session starts one."
                : "There is no such session: the cookie is unknown or has expired. POST /session starts a new one."
        )
    }
}

extension Session {
    /// Whether the session exists under the ID that the client used. Both can change while a request waits.
    func isCurrent(for credential: SessionCredential) -> Bool {
        !hasEnded && storeEntry.id == credential.id
    }
}

extension Problem {
    /// The session has ended or got another ID, while the request waited or less than a minute before.
    static let sessionHasChanged = Problem(
        .notAuthenticated,
        """
        The session has ended, or a login has given it another token. Send the request again with the token or cookie that \
        the login's response contains, or start a new session with POST /session.
        """
    )

    static let unknownToken = Problem(
        .notAuthenticated,
        """
        There is no such session: the token is unknown or has expired, or a login has replaced it. \
        POST /session starts a new one.
        """
    )
}
