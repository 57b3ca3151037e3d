import BusinessLogic
import Logging
import UnderstudyPages
import UnderstudySessions

extension UnderstudyService {
    /// If `page` is `nil`, the updates of all pages count. The caller holds the session's lock.
    func hasDueUpdates(of page: Page?, in session: Session) -> Bool {
        guard session.hasUpdates else { return false }
        if let page { return session.existingScreen(of: page).flatMap { dueUpdates(of: $0) } != nil }
        return session.screensWithUpdates.contains { dueUpdates(of: $0) != nil }
    }

    private func dueUpdates(of screen: Session.Screen) -> DueUpdates? {
        screen.dueUpdates(configuration.topics, configuration.clock)
    }

    /// Runs the updates that are due, of all pages if `page` is `nil`. One that fails stays due. The caller holds the session's lock. Returns `false`
    /// if the session has changed on another server, so that it must be acquired again.
    func runUpdates(of page: Page?, in session: Session) async throws -> Bool {
        for screen in session.screensWithUpdates where page == nil || screen.page === page {
            guard let due = dueUpdates(of: screen) else { continue }
            for index in due.indices {
                let isLast = index == due.indices.last
                let backend = backend()
                let result = try await backend.inUnitOfWork(isolation: #isolation) {
                    try await runUpdate(index, finishing: isLast ? due : nil, of: screen, in: session, backend)
                }
                switch result {
                case .handled: continue
                case .failed: break
                case .outdated: return false
                }
                break
            }
        }
        return true
    }

    private enum UpdateResult {
        case handled, failed, outdated
    }

    /// All or nothing. If it succeeds, the updates in `due` have run; `nil` if more follow.
    private func runUpdate(
        _ index: Int,
        finishing due: DueUpdates?,
        of screen: Session.Screen,
        in session: Session,
        _ backend: any SessionBackend
    ) async throws -> UpdateResult {
        let (page, declaration) = (screen.page, screen.page.declarations[index])
        let progress = screen.updates?.progress
        var transaction = try session.beginEvent(index, of: page, values: [:])
        let start = transaction.start
        do {
            try await screen.controller.handleEvent(at: index) {
                if session.identity.hasChanged {
                    throw UserChangeError(
                        description: "The update '\(declaration.event.name)' of the page '\(page.name)' has logged "
                            + "a user in or out. Only an event of a client can do that."
                    )
                }
                try transaction.requireMemory(forResponse: 0, limit: configuration.sessions.maximumSize)
            }
        } catch {
            transaction.rollBack()
            let error = ControllerError(error, of: declaration) ?? error
            // It changed nothing, and runs again.
            session.recorder?.discardResults()
            session.lastUpdates?.hasFailed = true
            if error is CancellationError { throw error }
            report(error, of: declaration.event, on: page)
            return .failed
        }
        transaction.commit()
        if let due { screen.updates?.progress.finish(due) }
        let commands = session.history.current(since: start)
        session.recorder?.record(declaration.event, on: page, commands: commands, user: session.identity.user)
        if !transaction.undeclared.isEmpty {
            controllerWarnings.report(transaction.undeclared, of: declaration.event, on: page, logger)
            transaction.screen.recorder.forgetUndeclared()
        }
        guard try await backend.commitUpdate(in: session, since: start) else {
            if let progress { screen.updates?.progress = progress }
            return .outdated
        }
        session.lastUpdates?.hasFailed = false
        metrics.countUpdate(declaration.event, on: page, succeeded: true)
        session.waiters.wake()
        return .handled
    }

    private func report(_ error: any Error, of update: Event, on page: Page) {
        metrics.countUpdate(update, on: page, succeeded: false)
        // A store that cannot be reached is reported by its own line, and not by one for each session.
        logger.log(
            level: Problem(error) == nil ? .warning : .debug,
            "An update failed, and runs again later",
            metadata: ["page": "\(page.name)", "update": "\(update.name)", "error": "\(error)"]
        )
    }
}

extension UnderstudyService {
    /// Removes the sessions from memory for which requests wait and which another server has changed or ended. The requests then read them
    /// from the database again.
    ///
    /// ``UnderstudyServer`` calls this twice a second. Without a server, call it as often.
    public func refreshWatchedSessions() async {
        guard let shared else { return }
        let watched = waitingRequests.sessions
        // If the database is not available, the next call finds out. The store reports why.
        guard !watched.isEmpty, let versions = try? await shared.store.versions(of: Array(watched.keys)) else { return }
        for (id, known) in watched where versions[id] != known.version {
            // An event that runs now finds out by itself.
            guard let lease = Session.Lease(ifFree: known.session) else { continue }
            let isOld = lease.session.sharedVersion.map { $0.number < versions[id] ?? .max } ?? false
            if isOld { liveSessions.remove(known.session) }
        }
    }
}
