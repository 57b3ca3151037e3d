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

    private struct State: ~Copyable {
        var maximum: Int
        var boxes: [AddressHash: Box] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter maximum: the maximum number of sessions from one address, at least 1; `nil` for no limit.
    init(maximum: Int?) {
        state = Mutex(State(maximum: Self.number(maximum)))
    }

    private static func number(_ maximum: Int?) -> Int { max(1, maximum ?? .max) }

    /// Applies another limit.
    ///
    /// - Returns: the oldest sessions of each address that now has too many, with their IDs.
    func setMaximum(_ maximum: Int?) -> [(session: Session, id: SessionID)] {
        state.withLock { state in
            state.maximum = Self.number(maximum)
            var excess: [(session: Session, id: SessionID)] = []
            for box in state.boxes.values {
                var next = box.sessions.list.oldest
                for _ in 0..<max(0, box.sessions.count - state.maximum) {
                    guard let session = next else { break }
                    if let id = session.addressEntry.id { excess.append((session, id)) }
                    next = session.addressEntry.node.newer
                }
            }
            return excess
        }
    }

    /// Counts a session that has been added to the store and is not counted yet.
    ///
    /// - Returns: the address's oldest session with its ID, if the address now has too many sessions.
    func add(_ session: Session) -> (session: Session, id: SessionID)? {
        guard let address = session.address else { return nil }
        return state.withLock { state in
            let box = state.boxes[address] ?? Box()
            state.boxes[address] = box
            session.addressEntry.id = session.shardEntry.id
            box.sessions.list.add(session) { $0.created > session.created }
            box.sessions.count += 1
            guard box.sessions.count > state.maximum, let oldest = box.sessions.list.oldest,
                let id = oldest.addressEntry.id
            else { return nil }
            return (oldest, id)
        }
    }

    /// Stops counting a session. Call before removing it from the store. Does nothing if the session is not counted.
    func remove(_ session: Session) {
        guard let address = session.address else { return }
        state.withLock { state in
            guard session.addressEntry.id != nil, let box = state.boxes[address] else { return }
            session.addressEntry.id = nil
            box.sessions.list.remove(session)
            box.sessions.count -= 1
            if box.sessions.count == 0 { state.boxes[address] = nil }
        }
    }

    /// The number of addresses with counted sessions.
    var addressCount: Int { state.withLock { $0.boxes.count } }
}
