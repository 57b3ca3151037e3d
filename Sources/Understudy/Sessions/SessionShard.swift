import BusinessLogic

/// What a store in memory keeps with a session: its id, and its place among the sessions by last use.
struct StoreLinks {
    var id: SessionID
    var lastUsed: Timestamp
    /// The id of whoever is logged in, as of when it came into the store or got another id.
    var user: String?
    /// The number of its last use, among all uses of the store's sessions: clocks are too coarse to tell which was later.
    var use: UInt64 = 0
    /// Whether the session is in the store.
    var isKept = false
    // Unowned, since a session that is linked is owned by its shard, and a chain of strong references would be taken down
    // recursively.
    unowned(unsafe) var newer: Session?
    unowned(unsafe) var older: Session?

    init(id: SessionID, lastUsed: Timestamp) {
        self.id = id
        self.lastUsed = lastUsed
    }
}

/// Some of the sessions of a store, by id and in the order of their last use.
struct SessionShard: ~Copyable {
    private var sessions: [SessionID: Session] = [:]
    private unowned(unsafe) var newest: Session?
    /// The session that has gone unused for longest.
    private(set) unowned(unsafe) var oldest: Session?

    subscript(id: SessionID) -> Session? { sessions[id] }

    /// All sessions, in no order.
    var all: [Session] { Array(sessions.values) }

    /// The sessions that a user is logged in to.
    func sessions(ofUser user: String) -> [Session] {
        sessions.values.filter { $0.links.user == user }
    }

    /// Adds a session that is in no shard, at its place by last use: nearly always in front.
    mutating func add(_ session: Session) {
        session.links.isKept = true
        sessions[session.links.id] = session
        var (newer, older): (Session?, Session?) = (nil, newest)
        while let next = older, next.links.use > session.links.use {
            (newer, older) = (next, next.links.older)
        }
        if let newer { link(session, behind: newer) } else { linkFront(session) }
    }

    /// Removes a session that is in this shard.
    mutating func remove(_ session: Session) {
        session.links.isKept = false
        unlink(session)
        sessions[session.links.id] = nil
    }

    /// Notes that a session of this shard has been used.
    ///
    /// - Parameter number: the use's number, higher than those of all uses before.
    mutating func use(_ session: Session, at now: Timestamp, number: UInt64) {
        session.links.lastUsed = now
        session.links.use = number
        guard newest !== session else { return }
        unlink(session)
        linkFront(session)
    }

    private mutating func linkFront(_ session: Session) {
        session.links.older = newest
        session.links.newer = nil
        newest?.links.newer = session
        newest = session
        if oldest == nil { oldest = session }
    }

    private mutating func link(_ session: Session, behind newer: Session) {
        session.links.newer = newer
        session.links.older = newer.links.older
        if let older = newer.links.older { older.links.newer = session } else { oldest = session }
        newer.links.older = session
    }

    private mutating func unlink(_ session: Session) {
        let (newer, older) = (session.links.newer, session.links.older)
        if let newer { newer.links.older = older } else { newest = older }
        if let older { older.links.newer = newer } else { oldest = newer }
        session.links.newer = nil
        session.links.older = nil
    }
}
