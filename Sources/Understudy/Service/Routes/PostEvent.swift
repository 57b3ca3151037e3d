import BusinessLogic
import MicroHTTP

extension UnderstudyService {
    /// `POST /PAGE`: runs an event. The response contains the commands that it gave.
    ///
    /// This is the most frequent request. It is inlined into one asynchronous function, which suspends only if the controller does or if
    /// the session is in use.
    ///
    /// - Parameter head: the content of the request's head.
    @inline(__always)
    func post(
        _ request: Request,
        _ head: EventHead,
        _ record: inout RequestRecord
    ) async throws -> Response {
        let event = try PostedEvent(
            request,
            head,
            cookieName: configuration.cookieName,
            deviceCookieName: configuration.deviceCookieName
        )
        record.event = event.index
        if let stream = event.stream { record.delivery = .stream(stream) }
        if let shared { return try await post(event, in: shared, &record) }
        let now = sessionTime
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
        try decodeIfSaved(session)
        if let replayed = try event.storedResponse(from: session.idempotencyCache) { return replayed }
        // Before the controller reads an account, so that a revocation after that moment ends the new login.
        let revocations = store.lastRevocation
        let transaction = try EventTransaction(
            event.index,
            of: event.page,
            in: session,
            values: event.values,
            origin: event
        )
        if event.stream != nil { try startStream(of: event, transaction, newToken: newToken) }
        // The closure captures these instead of a response, because a captured response would be copied.
        var body: [UInt8] = []
        var languageHeaders: CommonHeaders?
        do {
            try await transaction.run(
                limit: configuration.sessions.maximumSize,
                reserve: { commands in
                    if event.stream != nil { try requireTokenCanBeSent(to: event, in: session) }
                    let language = language(of: commands, for: request)
                    languageHeaders = language?.headers
                    body = CommandResponse.json(
                        sequence: session.history.sequence,
                        commands: commands,
                        context: language?.context ?? context,
                        isMinimal: event.wantsMinimal
                    )
                    return event.storedSize(ofBody: body)
                }
            )
        } catch {
            note(error, of: event, in: session, since: transaction.start)
            throw error
        }
        session.recorder?.note(event, in: session, since: transaction.start)
        if !transaction.undeclared.isEmpty {
            undeclaredUses.report(transaction.undeclared, of: event, logger)
            transaction.screen.recorder.forgetUndeclared()
        }
        var response = Response(status: 200, contentType: .json, common: languageHeaders, body: body)
        if event.wantsMinimal { response.headers.append(PostedEvent.minimalApplied) }
        var renewal: SessionToken?
        if session.identity.hasChanged {
            renewal = await changeTokens(of: event, in: session, newToken, since: transaction.start, &response)
        } else if let newToken {
            response.headers.append(sessionCookie.field(newToken))
        }
        event.store(response, in: session, containing: event.credential.isBearer ? renewal : nil)
        let size = session.trimmedSize(maximum: configuration.sessions.maximumSize)
        if newToken == nil, renewal == nil {
            if size != session.storeEntry.size { store.resize(session, to: size) }
        } else {
            try save(session, size, event, response, renewal, at: now, revocations: revocations)
        }
        if session.identity.hasLoggedOut { reportLogout(of: session) }
        return consume response
    }

    /// Adds new tokens to the response of a login or logout. An existing session gets another token, so that the old one is
    /// invalid. A device on which a user has logged in gets a device token.
    ///
    /// - Returns: the session's new token; `nil` if the session is new.
    func changeTokens(
        of event: PostedEvent,
        in session: Session,
        _ newToken: SessionToken?,
        since start: Int,
        _ response: inout Response
    ) async -> SessionToken? {
        var deviceToken: String?
        if let user = session.identity.user, let issue = configuration.issueDeviceToken {
            // The login has succeeded even if the device gets no token.
            deviceToken = try? await issue(user, session.identity.client)
        }
        let token = newToken ?? SessionToken.random()
        if event.credential.isBearer {
            let commands = session.history.current(since: start)
            response.body = CommandResponse.json(
                sequence: session.history.sequence,
                commands: commands,
                context: language(of: commands, for: event.request)?.context ?? context,
                isMinimal: event.wantsMinimal,
                token: token.text,
                deviceToken: deviceToken
            )
        } else {
            response.headers.append(sessionCookie.field(token))
            if let deviceToken { response.headers.append(configuration.deviceCookie(deviceToken)) }
        }
        return newToken == nil ? token : nil
    }

    @inline(never)
    private func reportLogout(of session: Session) {
        if let client = session.identity.loggedOutClient { configuration.onLogout(client) }
    }

    /// Adds a new session to the store, or gives a session another ID.
    ///
    /// - Parameter size: the bytes that the session counts for.
    /// - Throws: ``Problem`` `notAuthenticated` if the session ended during the event, or a revocation ended all sessions of its
    ///   user.
    private func save(
        _ session: Session,
        _ size: Int,
        _ event: PostedEvent,
        _ response: Response,
        _ renewal: SessionToken?,
        at now: Timestamp,
        revocations: UInt64
    ) throws(Problem) {
        let isStored: Bool
        if let renewal {
            store.resize(session, to: size)
            let sealed = event.seal(response)
            isStored = store.rename(session, to: renewal.id, response: sealed, at: now, revocations: revocations)
        } else {
            session.storeEntry.size = size
            isStored = store.insert(session, at: now, revocations: revocations)
        }
        guard isStored else { throw Problem.sessionHasChanged }
    }

    /// The response of a login, for a client that has not received it and repeats the request with the replaced token, the same
    /// idempotency key and the same body.
    ///
    /// - Throws: ``Problem`` if the token was replaced, but the request is another one.
    private func repeatLogin(_ event: PostedEvent, at now: Timestamp) throws -> Response? {
        guard let id = event.credential.id, let replaced = store.replacedSession(id, at: now) else { return nil }
        guard let response = try event.open(replaced.response) else { throw Problem.sessionHasChanged }
        return response
    }

    /// Records a failed event. Unless the error allows sending the event again, stores the response for its idempotency key,
    /// because the event's effects on other systems may remain.
    func note(_ error: any Error, of event: PostedEvent, in session: Session, since start: Int) {
        if case .sessionFull? = (error as? Problem)?.code {
            session.recorder?.discardResults()
            return
        }
        session.recorder?.note(event, in: session, since: start, failure: error)
        if Problem(error) == nil, !(error is CancellationError) {
            let response = Problem(.internal).response(
                id: event.requestID,
                below: configuration.pathPrefix,
                in: languages?[event.request.headers]
            )
            event.store(response, in: session)
        }
    }
}
