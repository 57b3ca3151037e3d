import BusinessLogic
import CoreMetrics
import Synchronization

/// Keeps sessions in memory, spread over shards so that the event loops seldom meet.
final class MemorySessionStore: Sendable {
    /// A mutex of its own address, of which there can be an array.
    private final class Guarded: Sendable {
        let shard = Mutex(SessionShard())
    }

    private let limits: SessionLimits
    // As integers: durations are wide, and this is asked for at every event.
    private let idle: Int64
    private let lifetime: Int64
    private let shards: [Guarded]
    private let metrics: SessionMetrics
    private let total = Atomic<Int>(0)
    private let size = Atomic<Int>(0)
    private let uses = Atomic<UInt64>(0)
    private let addresses: AddressSessions?
    private let revocations = SessionRevocationLog()
    private let replaced = ReplacedSessions()

    init(
        limits: SessionLimits,
        shards: Int = 16,
        metrics: SessionMetrics = SessionMetrics(factory: NOOPMetricsHandler.instance)
    ) {
        self.limits = limits
        self.metrics = metrics
        idle = limits.idle.milliseconds
        lifetime = limits.lifetime.milliseconds
        addresses = limits.maximumPerAddress.map { AddressSessions(maximum: $0) }
        self.shards = (0..<max(1, shards)).map { _ in Guarded() }
    }

    /// How many sessions there are, expired ones that have not been removed yet included.
    var count: Int { total.load(ordering: .relaxed) }

    /// The bytes that they take.
    var memorySize: Int { size.load(ordering: .relaxed) }

    /// How many addresses have sessions that count against their limit.
    var addressCount: Int { addresses?.addressCount ?? 0 }

    /// The number of the last time that the sessions of a user were ended.
    var lastRevocation: UInt64 { revocations.last }

    /// The session of that ID, unless it is unknown or has expired. Finding a session counts as using it.
    func find(_ id: SessionID, at now: Timestamp) -> Session? {
        withShard(of: id) { shard in
            guard let session = shard[id] else { return nil }
            guard !isExpired(session, at: now) else {
                remove(session, from: &shard)
                metrics.expired.increment()
                return nil
            }
            shard.use(session, at: now, number: nextUse())
            return session
        }
    }

    /// Adds a new session.
    ///
    /// - Parameter revocations: the number of the last revocation before its first event.
    /// - Returns: `false` if the sessions of its user have been ended since; the store does not contain it then.
    @discardableResult
    func insert(_ session: Session, at now: Timestamp, revocations number: UInt64 = .max) -> Bool {
        session.links.lastUsed = now
        session.links.use = nextUse()
        session.links.evictionClass = .unused
        guard add(session, revocations: number) else { return false }
        metrics.created.increment()
        makeRoom(for: session)
        return true
    }

    /// Gives the session another ID, since its user has changed; the old one is invalid at once.
    ///
    /// - Parameters:
    ///   - response: the login's response, for a client that did not receive it.
    ///   - revocations: the number of the last revocation before the event.
    /// - Returns: `false` if the session has ended, or the sessions of its user have been ended since; it has ended then.
    @discardableResult
    func rename(
        _ session: Session,
        to id: SessionID,
        response: SealedResponse? = nil,
        at now: Timestamp = Timestamp(milliseconds: 0),
        revocations number: UInt64 = .max
    ) -> Bool {
        let former = session.links.id
        let wasKept = withShard(of: former) { shard in
            guard session.links.isKept else { return false }
            detach(session, from: &shard)
            return true
        }
        guard wasKept else { return false }
        replaced.add(former, response, at: now)
        // Nobody else can find the session now, so that its links need no lock.
        session.links.id = id
        session.links.evictionClass = .anonymous
        return add(session, revocations: number)
    }

    /// The replacement of an ID that was replaced less than a minute ago; `nil` for any other ID.
    func replacedSession(_ id: SessionID, at now: Timestamp) -> ReplacedSession? {
        replaced.find(id, at: now)
    }

    /// Notes how many bytes a session takes. The store may end other sessions to make room.
    func resize(_ session: Session, to newSize: Int) {
        withShard(of: session.links.id) { _ in
            if session.links.isKept { size.add(newSize - session.links.size, ordering: .relaxed) }
            session.links.size = newSize
        }
        makeRoom(for: session)
    }

    /// Ends the session.
    func remove(_ session: Session) {
        withShard(of: session.links.id) { remove(session, from: &$0) }
    }

    /// Ends all sessions that a user is logged in to.
    func removeSessions(ofUser user: String) {
        // Before the search: a login that the search misses finds this.
        revocations.add(user)
        for guarded in shards {
            guarded.shard.withLock { shard in
                for session in shard.sessions(ofUser: user) { remove(session, from: &shard) }
            }
        }
    }

    /// Puts another session in the place of each. Nobody may be using them.
    func replaceEach(_ replacement: (Session) throws -> Session) rethrows {
        for guarded in shards {
            try guarded.shard.withLock { shard in
                for session in shard.all {
                    let new = try replacement(session)
                    let links = session.links
                    remove(session, from: &shard)
                    new.links = StoreLinks(id: links.id, lastUsed: links.lastUsed)
                    new.links.use = links.use
                    new.links.evictionClass = links.evictionClass
                    new.links.size = links.size
                    _ = attach(new, to: &shard)
                }
            }
        }
    }

    /// The times at which the session expires: unused, and in any case.
    func expiry(of session: Session) -> (idle: Timestamp, lifetime: Timestamp) {
        withShard(of: session.links.id) { _ in
            (session.links.lastUsed + limits.idle, session.created + limits.lifetime)
        }
    }

    /// Removes sessions that have gone unused for too long, a few at a time so that nobody waits for it.
    func removeExpired(at now: Timestamp) {
        for guarded in shards {
            for evictionClass in EvictionClass.allCases {
                var removed = 0
                repeat {
                    removed = guarded.shard.withLock { shard in
                        var removed = 0
                        while removed < 64, let oldest = shard.oldest(evictionClass),
                            oldest.links.lastUsed + limits.idle <= now
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

    private func withShard<Result>(of id: SessionID, _ body: (inout SessionShard) -> Result) -> Result {
        shards[id.shard(of: shards.count)].shard.withLock { body(&$0) }
    }

    private func isExpired(_ session: Session, at now: Timestamp) -> Bool {
        now.milliseconds - session.links.lastUsed.milliseconds >= idle
            || now.milliseconds - session.created.milliseconds >= lifetime
    }

    /// Evicts other sessions while there are too many, or they take too much memory.
    private func makeRoom(for session: Session) {
        while count > limits.maximum || memorySize > limits.maximumMemory, evictOldest(besides: session) {
            metrics.evicted.increment()
        }
    }

    /// Removes the session, over all shards, that has gone unused for longest among those of the first class that there are.
    private func evictOldest(besides session: Session) -> Bool {
        for evictionClass in EvictionClass.allCases {
            var oldest: (shard: Guarded, use: UInt64)?
            for guarded in shards {
                guard let use = guarded.shard.withLock({ $0.oldest(evictionClass, besides: session)?.links.use })
                else { continue }
                if oldest.map({ use < $0.use }) ?? true { oldest = (guarded, use) }
            }
            guard let oldest else { continue }
            oldest.shard.shard.withLock { shard in
                if let session = shard.oldest(evictionClass, besides: session) { remove(session, from: &shard) }
            }
            return true
        }
        return false
    }

    private func nextUse() -> UInt64 {
        uses.add(1, ordering: .relaxed).newValue
    }

    /// Adds a session that no other request can find yet. Its turn is the caller's.
    ///
    /// - Parameter revocations: the number of the last ending that the session's user is known to have logged in after.
    /// - Returns: `false` if the sessions of its user have been ended since; the session has ended then.
    private func add(_ session: Session, revocations number: UInt64) -> Bool {
        let user = session.identity.user
        session.links.user = user?.id
        if user != nil { session.links.evictionClass = .loggedIn }
        let excess = withShard(of: session.links.id) { attach(session, to: &$0) }
        if let excess {
            withShard(of: excess.id) { shard in
                // It may have left in the meantime.
                if shard[excess.id] === excess.session { remove(excess.session, from: &shard) }
            }
            metrics.evicted.increment()
        }
        if let id = user?.id, revocations.hasEnded(id, since: number) {
            remove(session)
            return false
        }
        return true
    }

    /// - Returns: the session that has to go since there are too many from its address.
    private func attach(_ session: Session, to shard: inout SessionShard) -> (session: Session, id: SessionID)? {
        shard.add(session)
        total.add(1, ordering: .relaxed)
        size.add(session.links.size, ordering: .relaxed)
        return session.links.evictionClass == .loggedIn ? nil : addresses?.add(session)
    }

    private func remove(_ session: Session, from shard: inout SessionShard) {
        guard session.links.isKept else { return }
        detach(session, from: &shard)
        session.end()
    }

    private func detach(_ session: Session, from shard: inout SessionShard) {
        addresses?.remove(session)
        shard.remove(session)
        total.subtract(1, ordering: .relaxed)
        size.subtract(session.links.size, ordering: .relaxed)
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
