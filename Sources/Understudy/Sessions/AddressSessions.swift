import Addresses
import Synchronization

/// What the limit for addresses keeps with a session.
struct AddressLinks {
    /// The id under which the session is in the store.
    var id: SessionID?
    var neighbours = ChainLinks()
}

/// The chain of the anonymous sessions of an address, by when they came. Guarded by the lock of ``AddressSessions``.
private enum ByAddress: ChainPlace {
    static subscript(session: Session) -> ChainLinks {
        get { session.addressLinks.neighbours }
        set { session.addressLinks.neighbours = newValue }
    }
}

/// How many sessions without a logged-in user there may be from one address.
///
/// Its lock may be taken while a shard's is held, never the other way round.
final class AddressSessions: Sendable {
    private struct Sessions: ~Copyable {
        var count = 0
        var chain = SessionChain<ByAddress>()
    }

    /// A box, since a dictionary cannot hold what cannot be copied. Sendable because the lock guards it.
    private final class Box: @unchecked Sendable {
        var sessions = Sessions()
    }

    private let maximum: Int
    private let boxes = Mutex<[IPAddress: Box]>([:])

    /// - Parameter maximum: how many there may be, at least 1.
    init(maximum: Int) {
        self.maximum = max(1, maximum)
    }

    /// Counts a session that has come into the store and is not counted yet.
    ///
    /// - Returns: the address's oldest session, with the id under which it is in the store, if there are too many now.
    func add(_ session: Session) -> (session: Session, id: SessionID)? {
        guard let address = session.address else { return nil }
        return boxes.withLock { boxes in
            let box = boxes[address] ?? Box()
            boxes[address] = box
            session.addressLinks.id = session.links.id
            box.sessions.chain.add(session)
            box.sessions.count += 1
            guard box.sessions.count > maximum, let oldest = box.sessions.chain.oldest,
                let id = oldest.addressLinks.id
            else { return nil }
            return (oldest, id)
        }
    }

    /// Counts a session no more, which must be done before it leaves the store. One that is not counted is left alone.
    func remove(_ session: Session) {
        guard let address = session.address else { return }
        boxes.withLock { boxes in
            guard session.addressLinks.id != nil, let box = boxes[address] else { return }
            session.addressLinks.id = nil
            box.sessions.chain.remove(session)
            box.sessions.count -= 1
            if box.sessions.count == 0 { boxes[address] = nil }
        }
    }

    /// How many addresses have sessions that are counted.
    var addressCount: Int { boxes.withLock(\.count) }
}
