import BusinessLogic
import Logging
import SessionStorage

/// Sessions outlive the process in a ``/SessionStorage/SessionStore``.
extension UnderstudyService {
    /// The number of sessions that are saved or restored in one transaction.
    private static let batch = 500

    /// Moves all sessions to the store of the configuration, if it has one. Call it after the last request: an event that is still
    /// running loses its session.
    ///
    /// ``UnderstudyServer`` calls this. Without a server, call it before the process ends.
    ///
    /// - Throws: the store's error. The sessions that have not been saved yet are lost then.
    public func saveSessions() async throws {
        guard let saved = configuration.sessionStore else { return }
        let now = configuration.clock.now
        var (count, lost) = (0, 0)
        for shard in 0..<store.shardCount {
            var sessions = store.takeAll(ofShard: shard)[...]
            while !sessions.isEmpty {
                let stored = sessions.prefix(Self.batch).filter { !store.hasExpired($0, at: now) }.map(stored)
                sessions = sessions.dropFirst(Self.batch)
                try await saved.save(stored.compactMap(\.self))
                count += stored.count
                lost += stored.count { $0 == nil }
            }
        }
        if lost > 0 { logger.warning("Sessions are lost", metadata: ["sessions": "\(lost)"]) }
        if count > lost { logger.info("Sessions saved", metadata: ["sessions": "\(count - lost)"]) }
    }

    /// Moves all sessions from the store of the configuration, if it has one, to this service. Call it before the first request.
    ///
    /// If a page's state cannot be restored, the page starts afresh, and the rest of its session stays. A log line and the metric
    /// `understudy_states_discarded_total` report it.
    ///
    /// ``UnderstudyServer`` calls this. Without a server, call it after creating the service.
    ///
    /// - Throws: the store's error.
    public func restoreSessions() async throws {
        guard let saved = configuration.sessionStore else { return }
        let now = configuration.clock.now
        var count = 0
        while true {
            let sessions = try await saved.take(limit: Self.batch)
            if sessions.isEmpty { break }
            for session in sessions where restore(session, at: now) { count += 1 }
        }
        if count > 0 { logger.info("Sessions restored", metadata: ["sessions": "\(count)"]) }
    }

    /// A session that no request can find any more, as the store contains it; `nil` if an event is still running, or the session
    /// cannot be encoded.
    private func stored(_ session: Session) -> StoredSession? {
        // Without this lock, an event could change the session meanwhile. It is never released, because no event may follow.
        guard session.lock.acquireIfFree() else { return nil }
        do {
            return StoredSession(
                id: session.storeEntry.id.bytes,
                user: session.identity.user?.id,
                created: session.created,
                lastUsed: session.storeEntry.lastUsed,
                content: try session.snapshot.json
            )
        } catch {
            logger.error(
                "A session cannot be saved",
                metadata: ["session": "\(session.storeEntry.id.brief)", "error": "\(error)"]
            )
            return nil
        }
    }

    /// Restores a session, unless it has expired or cannot be decoded.
    private func restore(_ stored: StoredSession, at now: Timestamp) -> Bool {
        guard !store.hasExpired(created: stored.created, lastUsed: stored.lastUsed, at: now),
            let id = SessionID(bytes: stored.id)
        else { return false }
        do {
            let snapshot = try SessionSnapshot(json: stored.content)
            let session = Session(snapshot, pages: pages, id: id) { page, error in
                metrics.countDiscardedState(of: page)
                logger.warning(
                    "A page starts afresh, because its state cannot be restored",
                    metadata: ["session": "\(id.brief)", "page": "\(page.name)", "error": "\(error)"]
                )
            }
            session.storeEntry.size = session.trimmedSize(maximum: configuration.sessions.maximumSize)
            store.restore(session, lastUsed: stored.lastUsed)
            return true
        } catch {
            logger.error(
                "A session cannot be restored",
                metadata: ["session": "\(id.brief)", "error": "\(error)"]
            )
            return false
        }
    }
}
