import BusinessLogic
import CoreMetrics
import Synchronization

/// Keeps sessions in memory, spread over shards so that the event loops seldom meet.
final class MemorySessionStore: SessionStore {
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
    private let uses = Atomic<UInt64>(0)

    init(
        limits: SessionLimits,
        shards: Int = 16,
        metrics: SessionMetrics = SessionMetrics(factory: NOOPMetricsHandler.instance)
    ) {
        self.limits = limits
        self.metrics = metrics
        idle = limits.idle.milliseconds
        lifetime = limits.lifetime.milliseconds
        self.shards = (0..<max(1, shards)).map { _ in Guarded() }
    }

    /// How many sessions there are, expired ones that have not been removed yet included.
    var count: Int { total.load(ordering: .relaxed) }

    let savesElsewhere = false

    func find(_ id: SessionID, at now: Timestamp) -> Session? {
        sessionAtHand(id, at: now)
    }

    func sessionAtHand(_ id: SessionID, at now: Timestamp) -> Session? {
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

    func insert(_ session: Session, at now: Timestamp) {
        withShard(of: session.links.id) { shard in
            session.links.lastUsed = now
            session.links.use = nextUse()
            add(session, to: &shard)
        }
        metrics.created.increment()
        while count > limits.maximum, removeOldest() { metrics.evicted.increment() }
    }

    func save(_ session: Session) {}

    func rename(_ session: Session, to id: SessionID) {
        let wasKept = withShard(of: session.links.id) { shard in
            let wasKept = session.links.isKept
            remove(session, from: &shard)
            return wasKept
        }
        guard wasKept else { return }
        withShard(of: id) { shard in
            session.links.id = id
            add(session, to: &shard)
        }
    }

    func remove(_ session: Session) {
        withShard(of: session.links.id) { remove(session, from: &$0) }
    }

    func removeSessions(ofUser user: String) {
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
                    new.links = StoreLinks(id: session.links.id, lastUsed: session.links.lastUsed)
                    new.links.use = session.links.use
                    remove(session, from: &shard)
                    add(new, to: &shard)
                }
            }
        }
    }

    func expiry(of session: Session) -> (idle: Timestamp, lifetime: Timestamp) {
        withShard(of: session.links.id) { _ in
            (session.links.lastUsed + limits.idle, session.created + limits.lifetime)
        }
    }

    /// Removes sessions that have gone unused for too long, a few at a time so that nobody waits for it.
    func removeExpired(at now: Timestamp) {
        for guarded in shards {
            var removed = 0
            repeat {
                removed = guarded.shard.withLock { shard in
                    var removed = 0
                    while removed < 64, let oldest = shard.oldest, oldest.links.lastUsed + limits.idle <= now {
                        remove(oldest, from: &shard)
                        removed += 1
                    }
                    return removed
                }
                metrics.expired.increment(by: removed)
            } while removed == 64
        }
    }

    private func withShard<Result>(of id: SessionID, _ body: (inout SessionShard) -> Result) -> Result {
        shards[id.shard(of: shards.count)].shard.withLock { body(&$0) }
    }

    private func isExpired(_ session: Session, at now: Timestamp) -> Bool {
        now.milliseconds - session.links.lastUsed.milliseconds >= idle
            || now.milliseconds - session.created.milliseconds >= lifetime
    }

    /// Removes the session that has gone unused for longest, over all shards.
    private func removeOldest() -> Bool {
        var oldest: (shard: Guarded, use: UInt64)?
        for guarded in shards {
            guard let use = guarded.shard.withLock({ $0.oldest?.links.use }) else { continue }
            if oldest.map({ use < $0.use }) ?? true { oldest = (guarded, use) }
        }
        guard let oldest else { return false }
        oldest.shard.shard.withLock { shard in
            if let session = shard.oldest { remove(session, from: &shard) }
        }
        return true
    }

    private func nextUse() -> UInt64 {
        uses.add(1, ordering: .relaxed).newValue
    }

    /// Its turn is the caller's.
    private func add(_ session: Session, to shard: inout SessionShard) {
        session.links.user = session.identity.user?.id
        shard.add(session)
        total.add(1, ordering: .relaxed)
    }

    private func remove(_ session: Session, from shard: inout SessionShard) {
        guard session.links.isKept else { return }
        shard.remove(session)
        total.subtract(1, ordering: .relaxed)
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
