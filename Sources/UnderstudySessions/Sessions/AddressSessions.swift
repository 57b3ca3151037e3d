import Synchronization

/// The data that ``AddressSessions`` stores with a session.
struct AddressEntry {
    /// The ID under which the session is in the store; `nil` if the session is not counted.
    var id: SessionID?
    var node = SessionListNode()
}

/// The nodes of an address's sessions in the order of their creation. The lock of ``AddressSessions`` guards them.
private enum AddressListNodes: SessionListNodes {
    static subscript(session: Session) -> SessionListNode {
        get { session.addressEntry.node }
        set { session.addressEntry.node = newValue }
    }
}

/// Limits the number of sessions without a logged-in user from one address.
///
/// It has its own lock. To avoid a deadlock, a task that also locks a shard must lock the shard first.
final class AddressSessions: Sendable {
    private struct Sessions: ~Copyable {
        var count = 0
        var list = SessionList<AddressListNodes>()
    }

    /// A box, because a dictionary cannot contain noncopyable values.
    private final class Box {
        var sessions = Sessions()
    }

    private let maximum: Int
    private let boxes = Mutex<[AddressHash: Box]>([:])

    /// - Parameter maximum: the maximum number of sessions from one address, at least 1.
    init(maximum: Int) {
        self.maximum = max(1, maximum)
    }

    /// Counts a session that has been added to the store and is not counted yet.
    ///
    /// - Returns: the address's oldest session with its ID, if the address now has too many sessions.
    func add(_ session: Session) -> (session: Session, id: SessionID)? {
        guard let address = session.address else { return nil }
        return boxes.withLock { boxes in
            let box = boxes[address] ?? Box()
            boxes[address] = box
            session.addressEntry.id = session.shardEntry.id
            box.sessions.list.add(session) { $0.created > session.created }
            box.sessions.count += 1
            guard box.sessions.count > maximum, let oldest = box.sessions.list.oldest,
                let id = oldest.addressEntry.id
            else { return nil }
            return (oldest, id)
        }
    }

    /// Stops counting a session. Call before removing it from the store. Does nothing if the session is not counted.
    func remove(_ session: Session) {
        guard let address = session.address else { return }
        boxes.withLock { boxes in
            guard session.addressEntry.id != nil, let box = boxes[address] else { return }
            session.addressEntry.id = nil
            box.sessions.list.remove(session)
            box.sessions.count -= 1
            if box.sessions.count == 0 { boxes[address] = nil }
        }
    }

    /// The number of addresses with counted sessions.
    var addressCount: Int { boxes.withLock(\.count) }
}
