package import BusinessLogic
package import CoreMetrics
package import SessionStorage
import Synchronization

/// The sessions in the memory of this process: all sessions, or copies of those in a database. In shards, so that event loops rarely wait for
/// each other.
package final class LiveSessions: Sendable {
    /// A class, because an array cannot contain mutexes.
    private final class LockedShard: Sendable {
        let shard = Mutex(Shard())
    }

    // As integers, because every event compares them and `Duration` has 128 bits.
    private let idle: Atomic<Int64>
    private let lifetime: Atomic<Int64>
    private let maximum: Atomic<Int>
    private let maximumMemory: Atomic<Int>
    private let currentLimits: Mutex<SessionLimits>
    private let shards: [LockedShard]
    private let metrics: SessionMetrics
    private let total = Atomic<Int>(0)
    private let size = Atomic<Int>(0)
    private let uses = Atomic<UInt64>(0)
    private let starts = Atomic<Int>(0)
    /// `nil` if these are only copies.
    private let owners: SessionOwners?
    private let revocations = RevocationLog()
    private let replaced = ReplacedSessions()
    private let onEnd: (@Sendable (Session) -> Void)?

    /// If these are copies of sessions in a database, it applies the limits for addresses and accounts.
    ///
    /// - Parameter onEnd: is called for each session that has ended, while the lock of its shard is held; `nil` if these are only copies.
    package init(
        limits: SessionLimits,
        areCopies: Bool = false,
        shards: Int = 16,
        metrics: SessionMetrics = SessionMetrics(factory: NOOPMetricsHandler.instance),
        onEnd: (@Sendable (Session) -> Void)? = nil
    ) {
        self.onEnd = onEnd
        self.metrics = metrics
        idle = Atomic(limits.idle.wholeMilliseconds)
        lifetime = Atomic(limits.lifetime.wholeMilliseconds)
        maximum = Atomic(limits.maximum)
        maximumMemory = Atomic(limits.maximumMemory)
        currentLimits = Mutex(limits)
        owners = areCopies ? nil : SessionOwners(maximum: limits.maximumPerAddress)
        self.shards = (0..<max(1, shards)).map { _ in LockedShard() }
    }

    package var limits: SessionLimits { currentLimits.withLock { $0 } }

    /// Ends the sessions that exceed the limits. Takes time that grows with the number of those: do not call it on an event loop.
    package func reload(_ limits: SessionLimits) {
        idle.store(limits.idle.wholeMilliseconds, ordering: .relaxed)
        lifetime.store(limits.lifetime.wholeMilliseconds, ordering: .relaxed)
        maximum.store(limits.maximum, ordering: .relaxed)
        maximumMemory.store(limits.maximumMemory, ordering: .relaxed)
        currentLimits.withLock { $0 = limits }
        for excess in owners?.setMaximum(limits.maximumPerAddress) ?? [] { end(excess) }
        makeRoom()
    }

    /// Includes expired sessions that have not been removed yet.
    package var count: Int { total.load(ordering: .relaxed) }

    package var memorySize: Int { size.load(ordering: .relaxed) }

    /// A revocation ends all sessions of a user.
    package var lastRevocation: Int { revocations.last }

    /// `nil` if the session is unknown or has expired. A use postpones its expiry.
    package func find(_ id: SessionID, at now: Timestamp, isUse: Bool = true) -> Session? {
        withShard(of: id) { shard in
            guard let session = shard[id] else { return nil }
            guard !hasExpired(session, at: now) else {
                remove(session, from: &shard)
                metrics.expired.increment()
                return nil
            }
            if isUse { shard.use(session, at: now, number: nextUse()) }
            return session
        }
    }

    /// Returns `false` if a revocation after the one with that number has ended the sessions of its user. The session is not in the store then.
    @discardableResult
    package func insert(_ session: Session, at now: Timestamp, revocations number: Int = .max) -> Bool {
        session.shardEntry.lastUsed = now
        session.shardEntry.use = nextUse()
        session.shardEntry.evictionClass = .unused
        session.shardEntry.number = nextNumber()
        guard add(session, revocations: number) else { return false }
        metrics.created.increment()
        makeRoom(for: session)
        return true
    }

    /// Gives the session another ID, because its user has changed. The old ID is invalid immediately.
    ///
    /// A session whose user has just logged out goes on even if it has ended meanwhile: the event may have ended all sessions of the user itself, and
    /// its client gets the answer.
    ///
    /// - Parameters:
    ///   - response: the login's response, for a client that has not received it.
    ///   - revocations: the number of the last revocation before the event.
    /// - Returns: `false` if the session has ended, or a later revocation has ended the sessions of its user.
    @discardableResult
    package func rename(
        _ session: Session,
        to id: SessionID,
        response: SealedResponse? = nil,
        at now: Timestamp = Timestamp(milliseconds: 0),
        revocations number: Int = .max
    ) -> Bool {
        let former = session.id
        let wasStored = withShard(of: former) { shard in
            guard session.shardEntry.isStored else { return false }
            detach(session, from: &shard)
            return true
        }
        if !wasStored {
            guard session.identity.hasLoggedOut, session.identity.user == nil else { return false }
            session.goOn()
        }
        replaced.add(former, response, at: now)
        // No other request can find the session now, so that its ID and its store entry need no lock.
        session.id = id
        session.shardEntry.evictionClass = .anonymous
        return add(session, revocations: number)
    }

    /// The replacement of an ID that was replaced less than a minute ago; `nil` for any other ID.
    package func replacedSession(_ id: SessionID, at now: Timestamp) -> ReplacedSession? { replaced.find(id, at: now) }

    /// If all sessions take too much memory, this evicts others.
    package func resize(_ session: Session, to newSize: Int) {
        withShard(of: session.id) { _ in
            let oldSize = session.shardEntry.size
            session.shardEntry.size = newSize
            if session.shardEntry.isStored { size.add(session.shardEntry.size - oldSize, ordering: .relaxed) }
        }
        makeRoom(for: session)
    }

    package func remove(_ session: Session) { withShard(of: session.id) { remove(session, from: &$0) } }

    package func removeSessions(ofUser user: String) {
        // Before the search, so that a login that the search misses finds the revocation.
        revocations.add(user)
        forEachShard { shard in
            for session in shard.sessions(ofUser: user) { remove(session, from: &shard) }
        }
    }

    /// The sessions are in any order, without expired ones. `now` is on their clock, and the clock that people read is ahead of that by `shift`.
    package func sessions(ofUser user: String, at now: Timestamp, shift: Duration) -> [UserSession] {
        shards.flatMap { guarded in
            guarded.shard.withLock { shard in
                shard.sessions(ofUser: user).filter { !hasExpired($0, at: now) }.map { session in
                    UserSession(
                        session.id,
                        created: session.created + shift,
                        lastUsed: session.shardEntry.lastUsed + shift,
                        browser: session.shardEntry.browser?.description
                    )
                }
            }
        }
    }

    /// Returns `false` if the user has no such session.
    package func remove(_ id: SessionID, ofUser user: String) -> Bool {
        withShard(of: id) { shard in
            guard let session = shard[id], session.shardEntry.user == user else { return false }
            remove(session, from: &shard)
            return true
        }
    }

    /// Adds a session that was stored, unless there is one with its ID, and returns the one with that ID. Call it in the order of the sessions' last
    /// uses on the clock of the service, and ``finishRestoring(_:)`` afterwards.
    @discardableResult
    package func restore(_ session: Session, _ stored: StoredSession, lastUsed: Timestamp) -> Session {
        session.shardEntry.lastUsed = lastUsed
        session.shardEntry.use = nextUse()
        session.shardEntry.user = stored.user
        session.shardEntry.browser = stored.browser.flatMap { Browser($0) }
        session.shardEntry.evictionClass = SessionClass(of: stored)
        let existing = withShard(of: session.id) { shard -> Session? in
            if let existing = shard[session.id] { return existing }
            attach(session, to: &shard)
            return nil
        }
        if let existing { return existing }
        makeRoom(for: session)
        return session
    }

    /// Numbers restored sessions, counts them against the limits for addresses and accounts, and ends those that exceed the former.
    package func finishRestoring(_ sessions: [Session]) {
        // In this order, each one's place in the list of its address is the first.
        for session in sessions.sorted(by: { $0.created < $1.created }) {
            let number = nextNumber()
            let excess = withShard(of: session.id) { _ in
                session.shardEntry.number = number
                return session.shardEntry.isStored ? owners?.add(session) : nil
            }
            if let excess { end(excess) }
        }
    }

    /// Removes all sessions of a shard, so that no request can use them any more. It does not count as their end. The index is below ``shardCount``.
    package func takeAll(ofShard index: Int) -> [Session] {
        shards[index].shard.withLock { shard in
            let sessions = shard.all
            for session in sessions { withdraw(session, from: &shard) }
            return sessions
        }
    }

    /// Also forgets the IDs that logins have replaced. If another session continues one, its removal does not count as its end.
    package func removeAll(continues: (Session) -> Bool = { _ in false }) {
        forEachShard { shard in
            for session in shard.all {
                if continues(session) { withdraw(session, from: &shard) } else { remove(session, from: &shard) }
            }
        }
        replaced.removeAll()
    }

    package var all: [Session] { shards.flatMap { $0.shard.withLock { $0.all } } }

    /// One page of the sessions, in the order of their numbers, without expired ones. Takes time that grows with the number of all sessions.
    ///
    /// - Parameters:
    ///   - last: the number after which the page begins; 0 for the first page.
    ///   - now: the current time on the clock of the sessions.
    ///   - shift: how far the clock that people read is ahead of that.
    ///   - isSelected: called while the lock of a shard is held.
    package func list(
        after last: Int,
        limit: Int,
        at now: Timestamp,
        shift: Duration,
        where isSelected: (ListedSession) -> Bool
    ) -> [ListedSession] {
        var page: [ListedSession] = []
        forEachShard { shard in
            for session in shard.all {
                let number = session.shardEntry.number
                if number <= last || page.count >= limit && number > page[page.count - 1].number { continue }
                let listed = ListedSession(session, shift: shift)
                guard !hasExpired(session, at: now), isSelected(listed) else { continue }
                page.insert(listed, at: page.firstIndex { $0.number > number } ?? page.count)
                if page.count > limit { page.removeLast() }
            }
        }
        return page
    }

    /// Holds the lock of one shard after the other.
    private func forEachShard(_ body: (inout Shard) throws -> Void) rethrows {
        for guarded in shards { try guarded.shard.withLock { try body(&$0) } }
    }

    package var shardCount: Int { shards.count }

    /// The caller holds the shard's lock, or has removed the session from the store.
    package func hasExpired(_ session: Session, at now: Timestamp) -> Bool {
        hasExpired(created: session.created, lastUsed: session.shardEntry.lastUsed, at: now)
    }

    package func hasExpired(created: Timestamp, lastUsed: Timestamp, at now: Timestamp) -> Bool {
        now.milliseconds(since: lastUsed) >= idle.load(ordering: .relaxed)
            || now.milliseconds(since: created) >= lifetime.load(ordering: .relaxed)
    }

    /// The new session has the same ID. No request may use the sessions meanwhile.
    package func replaceEach(_ replacement: (Session) throws -> Session) rethrows {
        try forEachShard { shard in
            for session in shard.all {
                let new = try replacement(session)
                // Its entry is in no list then.
                withdraw(session, from: &shard)
                new.shardEntry = session.shardEntry
                attach(new, to: &shard)
                _ = owners?.add(new)
            }
        }
    }

    package func lastUse(of session: Session) -> Timestamp {
        withShard(of: session.id) { _ in session.shardEntry.lastUsed }
    }

    /// When the session expires: at `idle` if no request uses it before, at `lifetime` in any case.
    package func expiry(of session: Session) -> (idle: Timestamp, lifetime: Timestamp) {
        withShard(of: session.id) { _ in
            (
                session.shardEntry.lastUsed + .milliseconds(idle.load(ordering: .relaxed)),
                session.created + .milliseconds(lifetime.load(ordering: .relaxed))
            )
        }
    }

    /// Releases the lock after every 64 sessions, so that no request waits long.
    package func removeExpired(at now: Timestamp) {
        let idle = Duration.milliseconds(idle.load(ordering: .relaxed))
        for guarded in shards {
            for evictionClass in SessionClass.allCases {
                var removed = 0
                repeat {
                    removed = guarded.shard.withLock { shard in
                        var removed = 0
                        while removed < 64, let oldest = shard.oldest(evictionClass),
                            oldest.shardEntry.lastUsed + idle <= now
                        {
                            remove(oldest, from: &shard)
                            removed += 1
                        }
                        return removed
                    }
                    metrics.expired.increment(by: removed)
                } while removed == 64
            }
        }
    }

    private func withShard<Result>(of id: SessionID, _ body: (inout Shard) -> Result) -> Result {
        shards[id.shard(of: shards.count)].shard.withLock { body(&$0) }
    }

    /// Never evicts `session`.
    private func makeRoom(for session: Session? = nil) {
        while count > maximum.load(ordering: .relaxed) || memorySize > maximumMemory.load(ordering: .relaxed),
            evictOldest(besides: session)
        {}
    }

    /// The session that has been unused longest, of the first eviction class that contains any.
    private func evictOldest(besides session: Session?) -> Bool {
        for evictionClass in SessionClass.allCases {
            if case .surplus = evictionClass, let surplus = owners?.surplus(besides: session) {
                end(surplus)
                return true
            }
            var oldest: (shard: LockedShard, use: UInt64)?
            for guarded in shards {
                guard let use = guarded.shard.withLock({ $0.oldest(evictionClass, besides: session)?.shardEntry.use })
                else { continue }
                if oldest.map({ use < $0.use }) ?? true { oldest = (guarded, use) }
            }
            guard let oldest else { continue }
            oldest.shard.shard.withLock { shard in
                if let session = shard.oldest(evictionClass, besides: session) { remove(session, from: &shard) }
            }
            metrics.evicted.increment()
            return true
        }
        return false
    }

    private func nextUse() -> UInt64 { uses.add(1, ordering: .relaxed).newValue }

    private func nextNumber() -> Int { starts.add(1, ordering: .relaxed).newValue }

    /// Adds a session that no other request can find yet. The caller holds the session's lock. Returns `false` if a revocation after the one with
    /// that number, the last before the user's login, has ended the sessions of its user. The session has ended then.
    private func add(_ session: Session, revocations number: Int) -> Bool {
        let user = session.identity.user
        session.shardEntry.user = user?.id
        session.shardEntry.browser = session.identity.browser
        if user != nil { session.shardEntry.evictionClass = .loggedIn }
        let excess = withShard(of: session.id) { shard in
            attach(session, to: &shard)
            return owners?.add(session)
        }
        if let excess { end(excess) }
        if let id = user?.id, revocations.hasEnded(id, since: number) {
            remove(session)
            return false
        }
        return true
    }

    private func attach(_ session: Session, to shard: inout Shard) {
        shard.add(session)
        total.add(1, ordering: .relaxed)
        size.add(session.shardEntry.size, ordering: .relaxed)
    }

    private func end(_ excess: (session: Session, id: SessionID)) {
        withShard(of: excess.id) { shard in
            // It may have been removed in the meantime.
            if shard[excess.id] === excess.session { remove(excess.session, from: &shard) }
        }
        metrics.evicted.increment()
    }

    private func remove(_ session: Session, from shard: inout Shard) {
        if withdraw(session, from: &shard) { onEnd?(session) }
    }

    /// No request can use the session any more. Returns `false` if it was removed before.
    @discardableResult
    private func withdraw(_ session: Session, from shard: inout Shard) -> Bool {
        guard session.shardEntry.isStored else { return false }
        detach(session, from: &shard)
        session.end()
        return true
    }

    private func detach(_ session: Session, from shard: inout Shard) {
        owners?.remove(session)
        shard.remove(session)
        total.subtract(1, ordering: .relaxed)
        size.subtract(session.shardEntry.size, ordering: .relaxed)
    }
}

extension ListedSession {
    /// Call only while holding the lock of the session's shard.
    fileprivate init(_ session: Session, shift: Duration) {
        self.init(
            number: session.shardEntry.number,
            id: session.id.bytes,
            user: session.shardEntry.user,
            created: session.created + shift,
            lastUsed: session.shardEntry.lastUsed + shift,
            events: Int(session.events.load(ordering: .relaxed)),
            size: session.shardEntry.size
        )
    }
}

package struct SessionMetrics: Sendable {
    package let live, bytes: Meter
    package let created: Counter
    package private(set) var expired, evicted: Counter

    package init(factory: any MetricsFactory) {
        live = Meter(label: "understudy_sessions", factory: factory)
        bytes = Meter(label: "understudy_session_bytes", factory: factory)
        created = Counter(label: "understudy_sessions_created_total", factory: factory)
        expired = Counter(label: "understudy_sessions_expired_total", factory: factory)
        evicted = Counter(label: "understudy_sessions_evicted_total", factory: factory)
    }

    /// The metrics without the ends of sessions, for the memory of a server whose sessions are in the database.
    package var withoutEnds: SessionMetrics {
        var metrics = self
        metrics.expired = Counter(label: "", factory: NOOPMetricsHandler.instance)
        metrics.evicted = metrics.expired
        return metrics
    }
}
