/// Which neighbours a session has in a chain.
struct ChainLinks {
    // Unowned, since a session in a chain is owned by its shard, and a chain of strong references would be released
    // recursively.
    unowned(unsafe) var newer: Session?
    unowned(unsafe) var older: Session?
}

/// Where a session keeps its links of one kind of chain.
protocol ChainPlace {
    static subscript(session: Session) -> ChainLinks { get set }
}

/// Sessions in an order, from the newest to the oldest. It does not own them: a session must leave it before it is released.
struct SessionChain<Place: ChainPlace>: ~Copyable {
    private(set) unowned(unsafe) var newest: Session?
    private(set) unowned(unsafe) var oldest: Session?

    var isEmpty: Bool { newest == nil }

    /// Adds a session that is in no such chain, in front of all others.
    mutating func add(_ session: Session) {
        Place[session] = ChainLinks(newer: nil, older: newest)
        if let newest { Place[newest].newer = session } else { oldest = session }
        newest = session
    }

    /// Adds a session that is in no such chain, behind one that is in this chain.
    mutating func add(_ session: Session, behind newer: Session) {
        let older = Place[newer].older
        Place[session] = ChainLinks(newer: newer, older: older)
        if let older { Place[older].newer = session } else { oldest = session }
        Place[newer].older = session
    }

    /// Removes a session that is in this chain.
    mutating func remove(_ session: Session) {
        let links = Place[session]
        if let newer = links.newer { Place[newer].older = links.older } else { newest = links.older }
        if let older = links.older { Place[older].newer = links.newer } else { oldest = links.newer }
        Place[session] = ChainLinks()
    }
}
