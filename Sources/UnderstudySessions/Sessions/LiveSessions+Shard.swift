package import BusinessLogic
import SessionStorage

package struct ShardEntry {
    package var lastUsed: Timestamp
    /// The ID of the logged-in user when the session was added or got its current ID.
    package var user: String?
    /// The number of the session's last use among all uses of all sessions. Clocks are too coarse to order uses.
    var use: UInt64 = 0
    /// Increases from session to session, in the order in which they were started; 0 for a copy of one in a database.
    package var number = 0
    var useNode = RecencyNode()
    // The small ones are last, so that no bytes between the properties are unused.
    private var storedSize: UInt32 = 0
    var isStored = false
    var evictionClass = SessionClass.unused
    package var browser: Browser?

    /// The bytes that the session counts for, at most 4 GiB.
    package var size: Int {
        get { Int(storedSize) }
        set { storedSize = UInt32(clamping: newValue) }
    }

    init(lastUsed: Timestamp) {
        self.lastUsed = lastUsed
    }
}

/// The shard's lock guards the nodes.
enum UseNodes: RecencyNodes {
    static subscript(session: Session) -> RecencyNode {
        get { session.shardEntry.useNode }
        set { session.shardEntry.useNode = newValue }
    }
}

extension LiveSessions {
    /// A part of the store's sessions, by ID and in the order of their last use.
    struct Shard: ~Copyable {
        private var sessions: [SessionID: Session] = [:]
        private var unused = RecencyList<UseNodes>()
        private var anonymous = RecencyList<UseNodes>()
        private var loggedIn = RecencyList<UseNodes>()

        subscript(id: SessionID) -> Session? { sessions[id] }

        var all: [Session] { Array(sessions.values) }

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

        /// The session must be in no shard. Its last use determines its position, which is the first in most cases.
        mutating func add(_ session: Session) {
            session.shardEntry.isStored = true
            sessions[session.id] = session
            changeList(of: session) { list in
                list.add(session) { $0.shardEntry.use > session.shardEntry.use }
            }
        }

        mutating func remove(_ session: Session) {
            session.shardEntry.isStored = false
            changeList(of: session) { $0.remove(session) }
            sessions[session.id] = nil
        }

        /// The session must be in this shard, and the number higher than those of all previous uses.
        mutating func use(_ session: Session, at now: Timestamp, number: UInt64) {
            session.shardEntry.lastUsed = now
            session.shardEntry.use = number
            changeList(of: session) { $0.remove(session) }
            if case .unused = session.shardEntry.evictionClass { session.shardEntry.evictionClass = .anonymous }
            changeList(of: session) { $0.add(session) }
        }

        private mutating func changeList(of session: Session, _ change: (inout RecencyList<UseNodes>) -> Void) {
            switch session.shardEntry.evictionClass {
            case .unused: change(&unused)
            case .anonymous: change(&anonymous)
            case .loggedIn, .surplus: change(&loggedIn)
            }
        }
    }
}

struct RecencyNode {
    // Unowned: the shard owns its sessions, and releasing a list of strong references would recurse. With `unowned` instead of
    // `unowned(unsafe)` here and in the list, an event takes 1,080 instructions more in a plain build.
    unowned(unsafe) var newer: Session?
    unowned(unsafe) var older: Session?
}

protocol RecencyNodes {
    static subscript(session: Session) -> RecencyNode { get set }
}

/// An intrusive doubly linked list of sessions, from the newest to the oldest. It does not own them: remove a session from it
/// before releasing the session.
struct RecencyList<Nodes: RecencyNodes>: ~Copyable {
    private(set) unowned(unsafe) var newest: Session?
    private(set) unowned(unsafe) var oldest: Session?

    var isEmpty: Bool { newest == nil }

    /// The session must be in no list of this kind.
    mutating func add(_ session: Session) {
        Nodes[session] = RecencyNode(newer: nil, older: newest)
        if let newest { Nodes[newest].newer = session } else { oldest = session }
        newest = session
    }

    /// The session must be in no list of this kind, and `newer` in this one.
    private mutating func add(_ session: Session, behind newer: Session) {
        let older = Nodes[newer].older
        Nodes[session] = RecencyNode(newer: newer, older: older)
        if let older { Nodes[older].newer = session } else { oldest = session }
        Nodes[newer].older = session
    }

    /// Adds a session that is in no list of this kind behind all newest ones for which `isNewer` returns `true`.
    mutating func add(_ session: Session, behind isNewer: (Session) -> Bool) {
        var (newer, older): (Session?, Session?) = (nil, newest)
        while let next = older, isNewer(next) { (newer, older) = (next, Nodes[next].older) }
        if let newer { add(session, behind: newer) } else { add(session) }
    }

    /// The session must be in this list.
    mutating func remove(_ session: Session) {
        let node = Nodes[session]
        if let newer = node.newer { Nodes[newer].older = node.older } else { newest = node.older }
        if let older = node.older { Nodes[older].newer = node.newer } else { oldest = node.newer }
        Nodes[session] = RecencyNode()
    }
}
