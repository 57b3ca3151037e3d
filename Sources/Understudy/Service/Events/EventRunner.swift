import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// The path of a posted event: it is read, gets its session, is handled by the controller and committed.
extension UnderstudyService {
    /// `POST /PAGE`: runs an event. This is the most frequent request.
    // Here and below: inlined into one asynchronous function, which suspends only if the controller does or if the session is in use.
    @inline(__always)
    func post(_ request: Request, to page: Page, _ record: inout RequestRecord) async throws -> Response {
        let event: PostedEvent
        do {
            event = try postedEvent(request, to: page)
        } catch let error as EventError {
            await recordRejection(error, of: request, to: page)
            throw error
        }
        record.event = event.index
        record.trace?.request.event = page.events[event.index].event.name
        if let stream = event.stream { record.delivery = .stream(stream) }
        var response = try await run(event, &record)
        // A stored response confirms the preference of its own request, in which the next pages have run or have not.
        if event.preference == .representation, response.status == 200,
            response.header("Preference-Applied") == ReturnPreference.representation.applied.value
        {
            await addNext(to: &response, of: event)
        }
        return consume response
    }

    @inline(__always)
    func postedEvent(_ request: Request, to page: Page) throws -> PostedEvent {
        try PostedEvent(
            request,
            to: page,
            cookieName: configuration.cookieName,
            deviceCookieName: configuration.deviceCookieName,
            languages: languages
        )
    }

    @inline(__always)
    func run(_ event: PostedEvent, _ record: inout RequestRecord) async throws -> Response {
        guard let shared else { return try await run(event, in: MemoryBackend(service: self), &record) }
        let backend = DatabaseBackend(self, shared)
        return try await backend.inUnitOfWork { try await run(event, in: backend, &record) }
    }

    @inline(__always)
    private func run(
        _ event: PostedEvent,
        in backend: some SessionBackend,
        _ record: inout RequestRecord
    ) async throws -> Response {
        for _ in 0..<backend.maximumRuns {
            if let response = try await runOnce(event, in: backend, &record) { return response }
            event.stream?.restart()
        }
        throw Problem.changesTooOften
    }

    /// The response to a client that has not received the response of its login and repeats the request. It contains the session's token, which
    /// no client gets after the session has ended.
    private func loginResponse(
        _ sealed: SealedResponse?,
        to event: PostedEvent,
        in backend: some SessionBackend
    ) async throws -> Response {
        guard let opened = try event.open(sealed), let id = opened.session else { throw Problem.sessionHasChanged }
        switch try await backend.acquire(.cookie(id)) {
        case .session(let lease, let isFresh):
            // Otherwise, a client whose session has ended on another server would get it.
            if !isFresh, try await !backend.isCurrent(lease.session) { throw Problem.sessionHasChanged }
            return opened.response
        case .none: throw Problem.sessionHasChanged
        case .replaced: throw Problem.sessionHasChanged
        }
    }

    /// Runs the event, or repeats its stored response. Returns `nil` if the run has no effect and the event must run again.
    @inline(__always)
    private func runOnce(
        _ event: PostedEvent,
        in backend: some SessionBackend,
        _ record: inout RequestRecord
    ) async throws -> Response? {
        let lease: Session.Lease
        var isFresh = true
        var newToken: SessionToken?
        switch try await backend.acquire(event.credential) {
        case .session(let found, let fresh):
            lease = found
            isFresh = fresh
            record.session = event.credential.id
        case .none:
            try event.requireUser(nil)
            let token = SessionToken.random()
            let id = token.id
            newToken = token
            lease = try await backend.start(id, for: event.request, isContinued: false)
            record.session = id
        case .replaced(let response):
            return try await loginResponse(response, to: event, in: backend)
        }
        let session = lease.session
        if let response = try event.storedResponse(from: session.idempotencyCache) {
            // Otherwise, a client whose session has ended on another server would get it.
            if !isFresh, try await !backend.isCurrent(session) { return nil }
            return response
        }
        try event.requireUser(session.identity.user)
        if session.hasUpdates, hasDueUpdates(of: event.page, in: session),
            try await !runUpdates(of: event.page, in: session)
        {
            return nil
        }
        // The first commands are sent before the commit, which would find that the session has ended on another server.
        if event.stream != nil, !isFresh, try await !backend.isCurrent(session) { return nil }
        // Before the controller reads an account, so that a revocation after that moment ends the new login, and one from before does not.
        if let follow = configuration.followRevocations, event.mayChangeUser(in: session) { await follow() }
        let lastRevocation = backend.lastRevocation
        let start = session.history.sequence
        var response: Response
        do {
            response = try await handle(event, in: session, newToken)
            record.add(session.history.current(since: start), in: session)
        } catch {
            guard try await backend.commitFailure(of: event, in: session, isFresh: isFresh) else { return nil }
            if newToken != nil { backend.discard(session) }
            throw error
        }
        let renewal = await addTokens(to: &response, of: event, in: session, newToken)
        // A response of a page with secret outputs may repeat one that another event has shown.
        let isSecret = event.credential.isBearer && renewal != nil || !event.page.secretOutputs.isEmpty
        event.store(response, in: session, sealedWith: isSecret ? renewal ?? newToken ?? event.token : nil)
        let handled = HandledEvent(
            event: event,
            session: session,
            start: start,
            newToken: newToken,
            renewal: renewal,
            lastRevocation: lastRevocation
        )
        guard try await backend.commit(handled, response) else { return nil }
        session.waiters.wake()
        if session.identity.hasLoggedOut { await reportLogout(of: session) }
        return consume response
    }

    /// Makes the controller handle the event, all or nothing, and creates the response. A new session has a new token.
    ///
    /// - Throws: what the controller throws; ``/BusinessLogic/EventError`` if a field lacks a value; ``Problem`` `sessionFull`; ``UserChangeError``.
    @inline(__always)
    private func handle(_ event: PostedEvent, in session: Session, _ newToken: SessionToken?) async throws -> Response {
        try session.requireReserve(for: event, limit: configuration.sessions.maximumSize)
        var transaction: EventTransaction
        do throws(EventError) {
            transaction = try session.beginEvent(
                event.index,
                of: event.page,
                values: event.values,
                rejected: event.faults,
                origin: event
            )
        } catch {
            // Otherwise, a client without a session could create files.
            if newToken == nil {
                session.recorder?.recordRejection(error, of: event.request, to: event.page, user: session.identity.user)
            }
            throw error
        }
        if transaction.screen.updates != nil { transaction.startUpdates(configuration.topics) }
        let response: Response
        do {
            try session.values.requireOneType()
            if event.stream != nil { try startStream(of: event, transaction, newToken: newToken) }
            let controller = transaction.screen.controller
            if RequestTrace.isTracing {
                let name = "\(event.page.name) \(event.page.events[event.index].event.name)"
                response = try await RequestTrace.measure(.controller, name) {
                    try await controller.handleEvent(at: event.index) { try finish(event, &transaction, in: session) }
                }
            } else {
                response = try await controller.handleEvent(at: event.index) {
                    try finish(event, &transaction, in: session)
                }
            }
        } catch {
            transaction.rollBack()
            let error = ControllerError(error, of: event.page.events[event.index]) ?? error
            recordFailure(error, of: event, in: session, since: transaction.start)
            throw error
        }
        transaction.commit()
        record(event, in: session, since: transaction.start)
        if !transaction.undeclared.isEmpty {
            let declaration = event.page.events[event.index]
            controllerWarnings.report(transaction.undeclared, of: declaration.event, on: event.page, logger)
            transaction.screen.recorder.forgetUndeclared()
        }
        return consume response
    }

    /// Throws as ``handle(_:in:_:)``.
    private func finish(
        _ event: PostedEvent,
        _ transaction: inout EventTransaction,
        in session: Session
    ) throws -> Response {
        if event.stream != nil || event.precedingStream != nil { try requireTokenCanBeSent(to: event, in: session) }
        let response = commandResponse(to: event, transaction, sequence: session.history.sequence)
        try transaction.requireMemory(
            forResponse: event.storedSize(ofBody: response.body),
            limit: configuration.sessions.maximumSize
        )
        return response
    }

    /// Also contains what the page shows if the client prefers that.
    @inline(__always)
    private func commandResponse(
        to event: PostedEvent,
        _ transaction: borrowing EventTransaction,
        sequence: Int
    ) -> Response {
        let commands = transaction.commands
        let language = commands.containMessage || event.preference == .representation ? event.language : nil
        let context = language?.context ?? context
        var response = Response(
            status: 200,
            contentType: .json,
            common: language?.headers,
            body: CommandResponse.json(
                sequence: sequence,
                commands: commands,
                context: context,
                isMinimal: event.preference == .minimal,
                rendered: event.preference == .representation ? transaction.screen.recorder.rendered(context) : nil
            )
        )
        if let preference = event.preference { response.headers.append(preference.applied) }
        return response
    }

    /// Adds the tokens to a response that the client needs from now on: that of a new session, and after a login or logout the session's
    /// new one, so that the old one is invalid. A device on which a user has logged in gets a device token.
    ///
    /// - Returns: the token that replaces the session's; `nil` if the session is new or keeps its token.
    @inline(__always)
    private func addTokens(
        to response: inout Response,
        of event: PostedEvent,
        in session: Session,
        _ newToken: SessionToken?
    ) async -> SessionToken? {
        if session.identity.hasChanged { return await changeTokens(in: &response, of: event, in: session, newToken) }
        if let newToken { response.headers.append(sessionCookie.field(newToken)) }
        return nil
    }

    private func changeTokens(
        in response: inout Response,
        of event: PostedEvent,
        in session: Session,
        _ newToken: SessionToken?
    ) async -> SessionToken? {
        var deviceToken: String?
        if let user = session.identity.user, let issue = configuration.issueDeviceToken {
            // The login has succeeded even if the device gets no token.
            deviceToken = try? await issue(user, session.identity.client)
        }
        let token = newToken ?? SessionToken.random()
        if event.credential.isBearer {
            CommandResponse.add(token: token.text, deviceToken: deviceToken, to: &response.body)
        } else {
            response.headers.append(sessionCookie.field(token))
            if let deviceToken { response.headers.append(configuration.deviceCookie(deviceToken)) }
        }
        return newToken == nil ? token : nil
    }

    private func reportLogout(of session: Session) async {
        if let client = session.identity.loggedOutClient { await configuration.onLogout(client) }
    }

    /// Records a request of a session whose event the page does not declare.
    private func recordRejection(_ error: EventError, of request: Request, to page: Page) async {
        guard recordsSessions else { return }
        let credential = credential(of: request)
        // The response does not depend on whether it could be recorded.
        _ = try? await withSession(of: credential, isUse: false) { session in
            session.recorder?.recordRejection(error, of: request, to: page, user: session.identity.user)
            return true
        }
    }

    @inline(__always)
    private func record(_ event: PostedEvent, in session: Session, since start: Int, failure: (any Error)? = nil) {
        session.recorder?.record(
            event.page.events[event.index].event,
            on: event.page,
            values: event.values,
            commands: session.history.current(since: start),
            user: session.identity.user,
            failure: failure
        )
    }

    /// Unless the error allows sending the event again, stores the response for its idempotency key, because the event's effects on other systems may
    /// remain.
    private func recordFailure(_ error: any Error, of event: PostedEvent, in session: Session, since start: Int) {
        if case .sessionFull? = (error as? Problem)?.code {
            session.recorder?.discardResults()
            return
        }
        record(event, in: session, since: start, failure: error)
        if Problem(error) == nil && !(error is CancellationError) {
            let response = Problem(.internal).response(
                id: event.request.id,
                below: configuration.pathPrefix,
                in: event.language
            )
            event.store(response, in: session)
        }
    }
}
