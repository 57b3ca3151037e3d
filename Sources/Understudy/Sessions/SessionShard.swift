import BusinessLogic

/// Which sessions are evicted before others if there are too many: all of the first kind before any of the next.
enum EvictionClass: Int, CaseIterable {
    /// Nobody is logged in, and no request has come back with the session's token.
    case unused
    /// Nobody is logged in.
    case anonymous
    /// A user is logged in.
    case loggedIn
}

/// What a store in memory keeps with a session.
struct StoreLinks {
    var id: SessionID
    var lastUsed: Timestamp
    /// The id of the user who is logged in, as of when the session came into the store or got another id.
    var user: String?
    /// The number of its last use, among all uses of the store's sessions: clocks are too coarse to tell which was later.
    var use: UInt64 = 0
    /// Whether the session is in the store.
    var isKept = false
    var evictionClass = EvictionClass.unused
    /// The bytes that the session counts for.
    var size = 0
    /// Its place among the sessions by last use.
    var byUse = ChainLinks()

    init(id: SessionID, lastUsed: Timestamp) {
        self.id = id
        self.lastUsed = lastUsed
    }
}

/// The chain of sessions by last use. Guarded by the shard's lock.
enum ByUse: ChainPlace {
    static subscript(session: Session) -> ChainLinks {
        get { session.links.byUse }
        set { session.links.byUse = newValue }
    }
}

/// Some of the sessions of a store, by id and in the order of their last use.
struct SessionShard: ~Copyable {
    private var sessions: [SessionID: Session] = [:]
    private var unused = SessionChain<ByUse>()
    private var anonymous = SessionChain<ByUse>()
    private var loggedIn = SessionChain<ByUse>()

    subscript(id: SessionID) -> Session? { sessions[id] }

    /// All sessions, in no order.
    var all: [Session] { Array(sessions.values) }

    /// The sessions that a user is logged in to.
    func sessions(ofUser user: String) -> [Session] {
        sessions.values.filter { $0.links.user == user }
    }

    /// The session of a class that has gone unused for longest, besides one that is in use now.
    func oldest(_ evictionClass: EvictionClass, besides session: Session? = nil) -> Session? {
        let oldest =
            switch evictionClass {
            case .unused: unused.oldest
            case .anonymous: anonymous.oldest
            case .loggedIn: loggedIn.oldest
            }
        guard let oldest, oldest === session else { return oldest }
        return oldest.links.byUse.newer
    }

    /// Adds a session that is in no shard, at its place by last use: nearly always in front.
    mutating func add(_ session: Session) {
        session.links.isKept = true
        sessions[session.links.id] = session
        changeChain(of: session) { chain in
            var (newer, older): (Session?, Session?) = (nil, chain.newest)
            while let next = older, next.links.use > session.links.use {
                (newer, older) = (next, next.links.byUse.older)
            }
            if let newer { chain.add(session, behind: newer) } else { chain.add(session) }
        }
    }

    /// Removes a session that is in this shard.
    mutating func remove(_ session: Session) {
        session.links.isKept = false
        changeChain(of: session) { $0.remove(session) }
        sessions[session.links.id] = nil
    }

    /// Notes that a request has come with the token of a session of this shard.
    ///
    /// - Parameter number: the use's number, higher than those of all uses before.
    mutating func use(_ session: Session, at now: Timestamp, number: UInt64) {
        session.links.lastUsed = now
        session.links.use = number
        changeChain(of: session) { $0.remove(session) }
        if session.links.evictionClass == .unused { session.links.evictionClass = .anonymous }
        changeChain(of: session) { $0.add(session) }
    }

    private mutating func changeChain(of session: Session, _ change: (inout SessionChain<ByUse>) -> Void) {
        switch session.links.evictionClass {
        case .unused: change(&unused)
        case .anonymous: change(&anonymous)
        case .loggedIn: change(&loggedIn)
        }
    }
}
