import BusinessLogic
import MicroHTTP
import SessionStorage
import Synchronization

extension UnderstudyService {
    /// Runs an event of a shared session. Its response is sent after the session, the response and what collaborators have written to
    /// the same database are stored in one transaction. If another event has changed the session first, the event runs again.
    @inline(never)
    func post(_ event: PostedEvent, in shared: SharedSessions, _ record: inout RequestRecord) async throws -> Response {
        let work = UnitOfWork(database: shared.store.database)
        for _ in 0..<SharedSessions.maximumRuns {
            work.restart()
            let run = SharedRun(
                event: event,
                shared: shared,
                work: work,
                lastRevocation: shared.lastRevocation.load(ordering: .relaxed)
            )
            if let result = try await perform(run) {
                record.session = result.session
                work.finish()
                if let client = result.loggedOutClient { configuration.onLogout(client) }
                return result.response
            }
            event.stream?.restart()
        }
        throw Problem.changesTooOften
    }

    /// One run of an event.
    private struct SharedRun {
        let event: PostedEvent
        let shared: SharedSessions
        let work: UnitOfWork
        /// The number of the last revocation that was known before the run, so that a later one makes a login fail.
        let lastRevocation: Int
        /// The token of a new session.
        var newToken: SessionToken?
    }

    /// The result of an event that has been committed, or whose stored response is repeated.
    private struct SharedResult {
        let response: Response
        var session: SessionID?
        var loggedOutClient: ClientContext?
    }

    /// Runs the event with its unit of work.
    ///
    /// - Parameter isolation: the event loop, to which the closure would not return otherwise.
    /// - Returns: `nil` if the run has no effect and the event must run again.
    private func perform(
        _ run: SharedRun,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> SharedResult? {
        try await UnitOfWork.$ofTask.withValue(run.work) {
            _ = isolation
            return try await start(run)
        }
    }

    private func start(_ run: SharedRun) async throws -> SharedResult? {
        let event = run.event
        switch try await acquire(event.credential, in: run.shared) {
        case .replaced(let sealed):
            guard let response = try event.open(sealed) else { throw Problem.sessionHasChanged }
            return SharedResult(response: response)
        case .none:
            var run = run
            try await loadAddressKey(from: run.shared.store)
            let token = SessionToken.random()
            run.newToken = token
            let session = newSession(token.id, for: event.request, at: configuration.clock.now)
            session.sharedVersion = SharedVersion()
            try await session.lock.acquire(limit: 1)
            defer { session.lock.release() }
            return try await perform(run, in: session, isFresh: true)
        case .session(let session, let isFresh):
            defer { session.lock.release() }
            if let response = try event.storedResponse(from: session.idempotencyCache) {
                // Otherwise, a client whose session has ended on another server would get it.
                if !isFresh, try await !isCurrent(session, in: run.shared) { return nil }
                return SharedResult(response: response, session: event.credential.id)
            }
            // The first commands are sent before the commit, which would find that the session has ended on another server.
            if event.stream != nil, !isFresh, try await !isCurrent(session, in: run.shared) { return nil }
            return try await perform(run, in: session, isFresh: isFresh)
        }
    }

    private func perform(_ run: SharedRun, in session: Session, isFresh: Bool) async throws -> SharedResult? {
        defer { session.identity.origin = nil }
        do {
            let (response, renewal, start) = try await handle(run, in: session)
            guard try await commit(run, response, in: session, renewal, since: start) else { return nil }
            return SharedResult(
                response: response,
                session: run.newToken?.id ?? run.event.credential.id,
                loggedOutClient: session.identity.loggedOutClient
            )
        } catch {
            // The event may have failed because the session in memory is an old one.
            if run.newToken == nil, !session.hasEnded {
                if !isFresh, try await !isCurrent(session, in: run.shared) { return nil }
                try await storeFailure(error, of: run, in: session)
            }
            throw error
        }
    }

    /// Makes the controller handle the event, and creates the response.
    private func handle(
        _ run: SharedRun,
        in session: Session
    ) async throws -> (Response, renewal: SessionToken?, start: Int) {
        let event = run.event
        let transaction = try EventTransaction(
            event.index,
            of: event.page,
            in: session,
            values: event.values,
            origin: event
        )
        var body: [UInt8] = []
        var languageHeaders: CommonHeaders?
        try startStream(of: event, transaction, newToken: run.newToken)
        try await transaction.run(
            limit: configuration.sessions.maximumSize,
            reserve: { commands in
                try requireTokenCanBeSent(to: event, in: session)
                let language = language(of: commands, for: event.request)
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
        if !transaction.undeclared.isEmpty {
            undeclaredUses.report(transaction.undeclared, of: event, logger)
            transaction.screen.recorder.forgetUndeclared()
        }
        var response = Response(status: 200, contentType: .json, common: languageHeaders, body: body)
        if event.wantsMinimal { response.headers.append(PostedEvent.minimalApplied) }
        var renewal: SessionToken?
        if session.identity.hasChanged {
            renewal = await changeTokens(of: event, in: session, run.newToken, since: transaction.start, &response)
        } else if let newToken = run.newToken {
            response.headers.append(sessionCookie.field(newToken))
        }
        event.store(response, in: session, containing: event.credential.isBearer ? renewal : nil)
        return (response, renewal, transaction.start)
    }

    /// Stores the session after an event.
    ///
    /// - Returns: `false` if nothing is stored, so that the event must run again. The session is not in memory any more then.
    private func commit(
        _ run: SharedRun,
        _ response: Response,
        in session: Session,
        _ renewal: SessionToken? = nil,
        since start: Int
    ) async throws -> Bool {
        let size = session.trimmedSize(maximum: configuration.sessions.maximumSize)
        let now = configuration.clock.now
        do {
            let change = try session.change(
                since: start,
                key: run.event.key,
                userChange: userChange(run, response, in: session, renewal, at: now),
                id: renewal?.id,
                size: size,
                at: now
            )
            switch try await run.shared.store.commit(change, with: run.work.writes) {
            case .committed: break
            case .conflict:
                store.remove(session)
                return false
            case .revoked(let last):
                run.shared.lastRevocation.store(last, ordering: .relaxed)
                // The password may have changed since it was verified.
                run.work.restart(forgettingResults: true)
                store.remove(session)
                return false
            }
        } catch {
            store.remove(session)
            throw error
        }
        session.sharedVersion?.add(session, key: run.event.key)
        if run.newToken != nil {
            session.storeEntry.size = size
            store.insert(session, at: now)
        } else if renewal != nil {
            // The first request with the new token reads the session.
            store.remove(session)
        } else if size != session.storeEntry.size {
            store.resize(session, to: size)
        }
        return true
    }

    /// What the store must know about a login or logout; `nil` if the event is neither.
    private func userChange(
        _ run: SharedRun,
        _ response: Response,
        in session: Session,
        _ renewal: SessionToken?,
        at now: Timestamp
    ) -> SessionChange.UserChange? {
        guard session.identity.hasChanged else { return nil }
        return SessionChange.UserChange(
            replacedID: renewal == nil ? nil : session.storeEntry.id.bytes,
            response: run.event.seal(response)?.json,
            time: now,
            lastRevocation: run.lastRevocation
        )
    }

    /// Stores the response to an event that has failed, for its idempotency key, unless the client may send the event again.
    private func storeFailure(_ error: any Error, of run: SharedRun, in session: Session) async throws {
        guard run.event.key != nil, Problem(error) == nil, !(error is CancellationError) else { return }
        run.work.restart()
        let start = session.history.sequence
        note(error, of: run.event, in: session, since: start)
        _ = try await commit(run, Response(status: 500), in: session, since: start)
    }
}
