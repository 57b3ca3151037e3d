import Addresses
import BusinessLogic
import MicroHTTP

/// How routes and pages reach the session of a request.
extension UnderstudyService {
    /// A session that has just started.
    func newSession(_ id: SessionID, for request: Request, at now: Timestamp) -> Session {
        let recorder = configuration.recording.map {
            SessionRecorder(id.brief, in: $0, version: Self.version, at: now, logger: logger)
        }
        return Session(id: id, now: now, address: countedAddress(of: request), recorder: recorder)
    }

    /// The address by which a session counts; `nil` for this machine's own addresses, unless these are limited.
    private func countedAddress(of request: Request) -> IPAddress? {
        guard let address = request.clientAddress else { return nil }
        let isExempt = address.isLoopback && !request.isForwarded && !configuration.limitsLoopback
        return isExempt ? nil : address.rateLimitPrefix
    }

    /// The client's session; `nil` if it has none and is to get one.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if a bearer token is unknown or has expired, or a login has replaced the id.
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

    /// Does `body` in the turn of the request's session.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` where there is no session.
    func perform(_ request: Request, _ body: (Session) async throws -> Response) async throws -> Response {
        let credential = SessionCredential(request, cookieName: configuration.cookieName)
        guard let session = try find(credential, at: configuration.clock.now) else {
            throw Problem(
                .notAuthenticated,
                credential == .unknown
                    ? "The request names no session. POST /session starts one."
                    : "There is no such session: the cookie is unknown or has expired. POST /session starts a new one."
            )
        }
        return try await perform(in: session, of: credential) { try await body(session) }
    }

    /// Does `body` in the session's turn.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if the session has ended or got another id before its turn came.
    func perform(
        in session: Session,
        of credential: SessionCredential,
        _ body: () async throws -> Response
    ) async throws -> Response {
        try await session.lock.withLock(limit: configuration.maximumWaitingEvents) {
            guard session.isCurrent(for: credential) else { throw Problem.sessionHasChanged }
            return try await body()
        }
    }
}

extension Session {
    /// Whether the session goes on, and under the id that the client knows: both may have changed since it was found.
    func isCurrent(for credential: SessionCredential) -> Bool {
        !hasEnded && links.id == credential.id
    }
}

extension Problem {
    /// The session ended or got another id while the request waited for it, or less than a minute before.
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
