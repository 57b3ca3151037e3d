package import BusinessLogic
import SessionStorage

/// The store's data about a session.
package struct ShardEntry {
    package var id: SessionID
    package var lastUsed: Timestamp
    /// The ID of the logged-in user when the session was added or got its current ID.
    package var user: String?
    /// The number of the session's last use among all uses of all sessions. Clocks are too coarse to order uses.
    var use: UInt64 = 0
    /// Increases from session to session, in the order in which they were started; 0 for a copy of one in a database.
    package var number = 0
    /// The bytes that the session counts for.
    package var size = 0
    /// The session's node in the list of its eviction class.
    var useNode = SessionListNode()
    // The small ones are last, so that no bytes between the properties are unused.
    /// Whether the session is in the store.
    var isStored = false
    var evictionClass = SessionClass.unused

    init(id: SessionID, lastUsed: Timestamp) {
        self.id = id
        self.lastUsed = lastUsed
    }
}

/// The nodes of the lists by last use. The shard's lock guards them.
enum UseListNodes: SessionListNodes {
    static subscript(session: Session) -> SessionListNode {
        get { session.shardEntry.useNode }
        set { session.shardEntry.useNode = newValue }
    }
}

/// A part of the store's sessions, by ID and in the order of their last use.
struct SessionShard: ~Copyable {
    private var sessions: [SessionID: Session] = [:]
    private var unused = SessionList<UseListNodes>()
    private var anonymous = SessionList<UseListNodes>()
    private var loggedIn = SessionList<UseListNodes>()

    subscript(id: SessionID) -> Session? { sessions[id] }

    /// All sessions, in any order.
    var all: [Session] { Array(sessions.values) }

    /// The sessions to which a user is logged in.
    func sessions(ofUser user: String) -> [Session] {
        var found: [Session] = []
        var next = loggedIn.newest
        while let session = next {
            if session.shardEntry.user == user { found.append(session) }
            next = session.shardEntry.useNode.older
        }
        return found
    }

    /// The session of an eviction class that has been unused longest, except `session`.
    func oldest(_ evictionClass: SessionClass, besides session: Session? = nil) -> Session? {
        let oldest: Session? =
            switch evictionClass {
            case .unused: unused.oldest
            case .anonymous: anonymous.oldest
            case .loggedIn: loggedIn.oldest
            // Sessions do not know their place among those of their account.
            case .surplus: nil
            }
        guard let oldest, oldest === session else { return oldest }
        return oldest.shardEntry.useNode.newer
    }

    /// Adds a session that is in no shard. Its last use determines its position, which is the first in most cases.
    mutating func add(_ session: Session) {
        session.shardEntry.isStored = true
        sessions[session.shardEntry.id] = session
        changeList(of: session) { list in
            list.add(session) { $0.shardEntry.use > session.shardEntry.use }
        }
    }

    /// Removes a session of this shard.
    mutating func remove(_ session: Session) {
        session.shardEntry.isStored = false
        changeList(of: session) { $0.remove(session) }
        sessions[session.shardEntry.id] = nil
    }

    /// Records that a request has used a session of this shard.
    ///
    /// - Parameter number: the number of this use, higher than those of all previous uses.
    mutating func use(_ session: Session, at now: Timestamp, number: UInt64) {
        session.shardEntry.lastUsed = now
        session.shardEntry.use = number
        changeList(of: session) { $0.remove(session) }
        if case .unused = session.shardEntry.evictionClass { session.shardEntry.evictionClass = .anonymous }
        changeList(of: session) { $0.add(session) }
    }

    private mutating func changeList(of session: Session, _ change: (inout SessionList<UseListNodes>) -> Void) {
        switch session.shardEntry.evictionClass {
        case .unused: change(&unused)
        case .anonymous: change(&anonymous)
        case .loggedIn, .surplus: change(&loggedIn)
        }
    }
}
