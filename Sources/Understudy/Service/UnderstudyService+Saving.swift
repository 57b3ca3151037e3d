import BusinessLogic
import Logging
import SessionStorage
import UnderstudyPages
import UnderstudySessions

extension UnderstudyService {
    private static let batch = 5000
    /// How long the store may take for a batch, also if the requests have used up the time until the deadline.
    private static let minimumTime: Duration = .seconds(5)

    /// Moves all sessions to the store of the configuration, if it has one and the mode is ``SessionMode/memory``. Call it after the last
    /// request: an event that is still running loses its session.
    ///
    /// ``UnderstudyServer`` calls this. Without a server, call it before the process ends.
    ///
    /// - Parameter deadline: until when it tries again if the store is not available. It tries at least once, for five seconds.
    /// - Throws: the store's error. The sessions that have not been saved yet are lost then.
    public func saveSessions(until deadline: ContinuousClock.Instant = .now) async throws {
        guard shared == nil, let saved = configuration.sessionStore else { return }
        let now = sessionTime
        // One task for each shard, because encoding a session takes longer than saving it.
        let (count, lost) = try await withThrowingTaskGroup { group in
            for shard in 0..<liveSessions.shardCount {
                group.addTask { try await self.saveShard(shard, to: saved, until: deadline, at: now) }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.saved, $0.1 + $1.lost) }
        }
        try await saveEnds(to: saved, until: deadline)
        if lost > 0 { logger.warning("Sessions are lost", metadata: ["sessions": "\(lost)"]) }
        if count > 0 { logger.info("Sessions saved", metadata: ["sessions": "\(count)"]) }
    }

    /// Saves the sessions that have ended and whose hooks have not run, as sessions that have expired: the next start runs the hooks.
    private func saveEnds(to saved: any SessionStore, until deadline: ContinuousClock.Instant) async throws {
        guard let sessionEnds else { return }
        await sessionEnds.runDue()
        let ended = await sessionEnds.takeAll().map { key in
            StoredSession(
                id: SessionToken.random().id.bytes,
                user: nil,
                created: Timestamp(milliseconds: 0),
                lastUsed: Timestamp(milliseconds: 0),
                content: [],
                key: key
            )
        }
        try await save(ended, in: saved, until: deadline)
    }

    /// Tries again until the deadline: another process can lock a file for longer than a call of the store waits.
    private func save(
        _ sessions: [StoredSession],
        in store: any SessionStore,
        until deadline: ContinuousClock.Instant
    ) async throws {
        while true {
            do {
                return try await store.save(sessions, until: max(deadline, .now + Self.minimumTime))
            } catch is CollaboratorError where ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func saveShard(
        _ shard: Int,
        to saved: any SessionStore,
        until deadline: ContinuousClock.Instant,
        at now: Timestamp
    ) async throws -> (saved: Int, lost: Int) {
        var (count, lost) = (0, 0)
        var sessions = liveSessions.takeAll(ofShard: shard)[...]
        while !sessions.isEmpty {
            let batch = sessions.prefix(Self.batch)
            let current = batch.filter { !liveSessions.hasExpired($0, at: now) }
            for session in batch where liveSessions.hasExpired(session, at: now) { sessionEnds?.add(session) }
            sessions = sessions.dropFirst(Self.batch)
            let stored = current.compactMap(stored)
            try await save(stored, in: saved, until: deadline)
            count += stored.count
            lost += current.count - stored.count
        }
        return (count, lost)
    }

    /// Moves all sessions from the store of the configuration, if it has one and the mode is ``SessionMode/memory``, to this service: also
    /// those of the mode ``SessionMode/database``. Call it before the first request.
    ///
    /// If a page's state cannot be restored, the page starts afresh, and the rest of its session stays. A log line and the metric
    /// `understudy_states_discarded_total` report it.
    ///
    /// ``UnderstudyServer`` calls this. Without a server, call it after creating the service.
    ///
    /// - Throws: the store's error.
    public func restoreSessions() async throws {
        guard shared == nil, let saved = configuration.sessionStore else { return }
        let now = configuration.clock.now
        try await loadAddressKey(from: saved)
        var restored: [Session] = []
        while true {
            let sessions = try await saved.take(limit: Self.batch)
            if sessions.isEmpty { break }
            restored += sessions.compactMap { add($0, at: now) }
        }
        liveSessions.finishRestoring(restored)
        if !restored.isEmpty { logger.info("Sessions restored", metadata: ["sessions": "\(restored.count)"]) }
    }

    /// The sessions in memory as a store contains them; none in the mode ``SessionMode/database``. No request may use them meanwhile.
    ///
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded; `CollaboratorError.overloaded` if a session is in use.
    func copySessions() throws -> [StoredSession] {
        guard shared == nil else { return [] }
        let now = sessionTime
        return try liveSessions.all.compactMap { session in
            guard !liveSessions.hasExpired(session, at: now) else { return nil }
            guard let lease = Session.Lease(ifFree: session) else {
                throw CollaboratorError.overloaded(retryAfter: .seconds(1))
            }
            return try content(of: lease.session)
        }
    }

    func addSessions(_ sessions: [StoredSession]) {
        let now = configuration.clock.now
        liveSessions.finishRestoring(sessions.compactMap { add($0, at: now) })
    }

    /// No request can find the session any more. `nil` if an event is still running, or the session cannot be encoded.
    private func stored(_ session: Session) -> StoredSession? {
        guard let lease = Session.Lease(ifFree: session) else {
            sessionEnds?.add(session)
            return nil
        }
        do {
            return try content(of: lease.session)
        } catch {
            sessionEnds?.add(key: session.values.key)
            logger.error(
                "A session cannot be saved",
                metadata: ["session": "\(session.id.brief)", "error": "\(error)"]
            )
            return nil
        }
    }

    /// The caller holds the session's lock.
    func content(of session: Session) throws -> StoredSession {
        if let saved = session.saved?.stored, !saved.events.isEmpty { try restore(saved, in: session) }
        return StoredSession(
            id: session.id.bytes,
            user: session.shardEntry.user,
            browser: session.shardEntry.browser?.description,
            created: session.created + clockShift,
            lastUsed: session.shardEntry.lastUsed + clockShift,
            content: try session.saved?.stored.content ?? session.snapshot.json,
            address: session.address?.bytes,
            key: sessionEnds == nil ? nil : session.values.key
        )
    }

    /// `nil` if the session has expired or is damaged.
    private func add(_ stored: StoredSession, at now: Timestamp) -> Session? {
        guard !liveSessions.hasExpired(created: stored.created, lastUsed: stored.lastUsed, at: now) else {
            sessionEnds?.add(key: stored.key)
            return nil
        }
        do { try stored.check() } catch {
            sessionEnds?.add(key: stored.key)
            reportFailure(toRestore: stored.brief, error)
            return nil
        }
        guard let id = SessionID(bytes: stored.id) else { return nil }
        // A time in the future, from a clock that was ahead, counts as now.
        let session = Session(stored, id: id, created: min(stored.created, now) - clockShift, log: newLog())
        session.saved = SavedSession(stored)
        session.values.restoreKey(stored.key)
        let size = stored.events.reduce(stored.content.count) { $0 + $1.content.count }
        session.shardEntry.size = session.trimmedSize(maximum: .max) + size
        return liveSessions.restore(session, stored, lastUsed: min(stored.lastUsed, now) - clockShift)
    }

    func restore(_ stored: StoredSession, in session: Session, isShared: Bool = false) throws {
        let id = session.id
        try session.restore(stored, pages: pages, isShared: isShared) { [self] in report($0, of: id, $1) }
    }

    func report(_ discarded: DiscardedPart, of session: SessionID, _ error: any Error) {
        metrics.count(discarded)
        let (text, kind, name): (Logger.Message, String, String) =
            switch discarded {
            case .page(let name): ("A page starts afresh, because its state cannot be restored", "page", name)
            case .value(let name): ("A session value starts afresh, because it cannot be restored", "value", name)
            }
        logger.warning(text, metadata: ["session": "\(session.brief)", "\(kind)": "\(name)", "error": "\(error)"])
    }

    func reportFailure(toRestore session: String, _ error: any Error) {
        logger.error("A session cannot be restored", metadata: ["session": "\(session)", "error": "\(error)"])
    }

    /// Decodes a session that was saved, if this is its first request since. The caller holds the session's lock. If the session cannot be decoded,
    /// it ends.
    func decodeIfSaved(_ session: Session) throws(Problem) {
        guard let saved = session.saved?.stored else { return }
        do { try restore(saved, in: session) } catch {
            reportFailure(toRestore: session.id.brief, error)
            liveSessions.remove(session)
            throw .sessionHasChanged
        }
    }

    /// Restores the sessions from their snapshots, as after a restart. No request may use them meanwhile.
    package func restartSessions() throws {
        try liveSessions.replaceEach { session in
            var failure: (any Error)?
            let snapshot = try SessionSnapshot(json: session.snapshot.json)
            let restored = Session(
                id: session.id,
                now: snapshot.created,
                address: session.address,
                observer: newLog().map(Session.Observer.log)
            )
            restored.restore(snapshot, pages: pages) { failure = $1 }
            if let failure { throw failure }
            return restored
        }
    }
}
