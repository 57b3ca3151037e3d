/// The neighbours of a session in a ``SessionList``.
struct SessionListNode {
    // Unowned: the shard owns its sessions, and releasing a list of strong references would recurse. With `unowned` instead of
    // `unowned(unsafe)` here and in the list, an event takes 1,080 instructions more in a plain build.
    unowned(unsafe) var newer: Session?
    unowned(unsafe) var older: Session?
}

/// Where a session stores its node of one kind of list.
protocol SessionListNodes {
    static subscript(session: Session) -> SessionListNode { get set }
}

/// An intrusive doubly linked list of sessions, from the newest to the oldest. It does not own them: remove a session from it
/// before releasing the session.
struct SessionList<Nodes: SessionListNodes>: ~Copyable {
    private(set) unowned(unsafe) var newest: Session?
    private(set) unowned(unsafe) var oldest: Session?

    var isEmpty: Bool { newest == nil }

    /// Adds a session that is in no list of this kind, as the newest.
    mutating func add(_ session: Session) {
        Nodes[session] = SessionListNode(newer: nil, older: newest)
        if let newest { Nodes[newest].newer = session } else { oldest = session }
        newest = session
    }

    /// Adds a session that is in no list of this kind directly behind `newer`, which is in this list.
    private mutating func add(_ session: Session, behind newer: Session) {
        let older = Nodes[newer].older
        Nodes[session] = SessionListNode(newer: newer, older: older)
        if let older { Nodes[older].newer = session } else { oldest = session }
        Nodes[newer].older = session
    }

    /// Adds a session that is in no list of this kind behind all newest sessions that satisfy a condition.
    mutating func add(_ session: Session, behind isNewer: (Session) -> Bool) {
        var (newer, older): (Session?, Session?) = (nil, newest)
        while let next = older, isNewer(next) { (newer, older) = (next, Nodes[next].older) }
        if let newer { add(session, behind: newer) } else { add(session) }
    }

    /// Removes a session of this list.
    mutating func remove(_ session: Session) {
        let node = Nodes[session]
        if let newer = node.newer { Nodes[newer].older = node.older } else { newest = node.older }
        if let older = node.older { Nodes[older].newer = node.newer } else { oldest = node.newer }
        Nodes[session] = SessionListNode()
    }
}
