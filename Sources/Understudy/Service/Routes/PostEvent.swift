import BusinessLogic
import MicroHTTP

extension UnderstudyService {
    /// `POST /PAGE`: an event. The response has the commands that it caused.
    ///
    /// This is the path that must be fast: one asynchronous function, which waits for nothing but the controller if the
    /// session is free.
    func post(_ request: Request, to page: Page, _ record: inout RequestRecord) async throws -> Response {
        record.page = page
        let event = try PostedEvent(
            request,
            to: page,
            cookieName: configuration.cookieName,
            deviceCookieName: configuration.deviceCookieName
        )
        record.event = event.index
        let now = configuration.clock.now
        var found = event.credential.id.flatMap { store.find($0, at: now) }
        if found == nil {
            if let response = try repeatLogin(event, at: now) { return response }
            found = try find(event.credential, at: now)
        }
        let newToken = found == nil ? SessionToken.random() : nil
        let session = found ?? newSession((newToken ?? .random()).id, for: request, at: now)
        record.session = newToken?.id ?? event.credential.id

        if !session.lock.acquireIfFree() { try await session.lock.acquire(limit: configuration.maximumWaitingEvents) }
        defer {
            session.identity.origin = nil
            session.lock.release()
        }
        if found != nil, !session.isCurrent(for: event.credential) {
            if let response = try repeatLogin(event, at: now) { return response }
            throw Problem.sessionHasChanged
        }
        if let replayed = try event.replay(from: session.replies) { return replayed }
        // Before the controller looks at any account.
        let revocations = store.lastRevocation
        let transaction = try EventTransaction(event.index, of: page, in: session, values: event.values, origin: event)
        var response = Response(status: 200, contentType: .json)
        do {
            try await transaction.run(
                limit: configuration.sessions.maximumSize,
                reserve: { commands in
                    response.body = CommandResponse.json(sequence: session.history.sequence, commands: commands)
                    return event.storedSize(of: response)
                }
            )
        } catch {
            note(error, of: event, in: session, since: transaction.start)
            throw error
        }
        session.recorder?.note(event, in: session, since: transaction.start)
        var renewal: SessionToken?
        if session.identity.hasChanged {
            renewal = await changeTokens(of: event, in: session, newToken, since: transaction.start, &response)
        } else if let newToken {
            response.headers.append(configuration.cookie(newToken))
        }
        event.keep(response, in: session)
        let size = session.trimmedSize(maximum: configuration.sessions.maximumSize)
        if newToken == nil, renewal == nil {
            if size != session.links.size { store.resize(session, to: size) }
        } else {
            try settle(session, size, event, response, renewal, at: now, revocations: revocations)
        }
        return response
    }

    /// Adds to the response of a login or logout the tokens that the client gets. A session that was known before gets
    /// another one, so that the old one is invalid; a device gets one on which a user has logged in.
    ///
    /// - Returns: the session's new token, unless the session is new itself.
    private func changeTokens(
        of event: PostedEvent,
        in session: Session,
        _ newToken: SessionToken?,
        since start: Int,
        _ response: inout Response
    ) async -> SessionToken? {
        var deviceToken: String?
        if let user = session.identity.user, let issue = configuration.issueDeviceToken {
            // The login has succeeded, whether the device can be remembered or not.
            deviceToken = try? await issue(user, session.identity.client)
        }
        let token = newToken ?? SessionToken.random()
        if event.credential.isBearer {
            response.body = CommandResponse.json(
                sequence: session.history.sequence,
                commands: session.history.current(since: start),
                token: token.text,
                deviceToken: deviceToken
            )
        } else {
            response.headers.append(configuration.cookie(token))
            if let deviceToken { response.headers.append(configuration.deviceCookie(deviceToken)) }
        }
        return newToken == nil ? token : nil
    }

    /// Adds a new session to the store, or gives a session another ID.
    ///
    /// - Parameter size: the bytes for which the session counts.
    /// - Throws: ``Problem`` `notAuthenticated` if the session has ended meanwhile, or the sessions of its user were ended.
    private func settle(
        _ session: Session,
        _ size: Int,
        _ event: PostedEvent,
        _ response: Response,
        _ renewal: SessionToken?,
        at now: Timestamp,
        revocations: UInt64
    ) throws(Problem) {
        let isKept: Bool
        if let renewal {
            store.resize(session, to: size)
            let sealed = event.seal(response)
            isKept = store.rename(session, to: renewal.id, response: sealed, at: now, revocations: revocations)
        } else {
            session.links.size = size
            isKept = store.insert(session, at: now, revocations: revocations)
        }
        guard isKept else { throw Problem.sessionHasChanged }
    }

    /// The response of a login that the client has not received: it comes with the token that the login has replaced, and
    /// with the same idempotency key and body.
    ///
    /// - Throws: ``Problem`` if the token was replaced, and the request is another one.
    private func repeatLogin(_ event: PostedEvent, at now: Timestamp) throws -> Response? {
        guard let id = event.credential.id, let replaced = store.replacedSession(id, at: now) else { return nil }
        guard let response = try event.open(replaced.response) else { throw Problem.sessionHasChanged }
        return response
    }

    /// Records an event that failed. Its effects elsewhere may remain: unless it said that it may be sent again, it must not
    /// run again for the same idempotency key, so that its response is stored.
    private func note(_ error: any Error, of event: PostedEvent, in session: Session, since start: Int) {
        if case .sessionFull? = (error as? Problem)?.code {
            session.recorder?.forgetAnswers()
            return
        }
        session.recorder?.note(event, in: session, since: start, failure: error)
        if Problem(error) == nil {
            let response = Problem(.internal).response(id: event.requestID, below: configuration.pathPrefix)
            event.keep(response, in: session)
        }
    }
}
