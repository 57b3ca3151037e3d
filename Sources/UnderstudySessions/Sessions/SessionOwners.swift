import BusinessLogic
import SessionStorage
import Synchronization

/// The nodes of an owner's sessions in the order of their creation. The lock of ``SessionOwners`` guards them.
private enum OwnerNodes: RecencyNodes {
    static subscript(session: Session) -> RecencyNode {
        get { session.ownerNode }
        set { session.ownerNode = newValue }
    }
}

/// Limits the number of sessions without a logged-in user from one address, and finds the accounts with more sessions than
/// ``SessionStorage/SessionClass/maximumPerAccount``.
///
/// It has its own lock. To avoid a deadlock, a task that also locks a shard must lock the shard first.
final class SessionOwners: Sendable {
    private enum Owner: Hashable {
        case address(AddressHash)
        case account(String)

        /// `nil` if the session is not counted. The caller holds the lock of its shard.
        init?(of session: Session) {
            if case .loggedIn = session.shardEntry.evictionClass {
                guard let user = session.shardEntry.user else { return nil }
                self = .account(user)
            } else {
                guard let address = session.address else { return nil }
                self = .address(address)
            }
        }
    }

    /// A class, because a dictionary cannot contain noncopyable values.
    private final class CountedList {
        var count = 0
        var list = RecencyList<OwnerNodes>()
    }

    private struct State: ~Copyable {
        var maximum: Int
        var owners: [Owner: CountedList] = [:]
        /// The accounts with too many sessions.
        var crowded: Set<Owner> = []
    }

    private let state: Mutex<State>

    /// The limit for one address is at least 1; `nil` for no limit.
    init(maximum: Int?) {
        state = Mutex(State(maximum: Self.number(maximum)))
    }

    private static func number(_ maximum: Int?) -> Int { max(1, maximum ?? .max) }

    /// Returns the oldest sessions of each address that now has too many, with their IDs.
    func setMaximum(_ maximum: Int?) -> [(session: Session, id: SessionID)] {
        state.withLock { state in
            state.maximum = Self.number(maximum)
            var excess: [(session: Session, id: SessionID)] = []
            for case (.address, let sessions) in state.owners {
                var next = sessions.list.oldest
                for _ in 0..<max(0, sessions.count - state.maximum) {
                    guard let session = next else { break }
                    excess.append((session, session.id))
                    next = session.ownerNode.newer
                }
            }
            return excess
        }
    }

    /// Counts a session that is not counted yet. The caller holds the lock of its shard.
    ///
    /// - Returns: the address's oldest session with its ID, if the address now has too many sessions.
    func add(_ session: Session) -> (session: Session, id: SessionID)? {
        guard let owner = Owner(of: session) else { return nil }
        return state.withLock { state in
            let sessions = state.owners[owner] ?? CountedList()
            state.owners[owner] = sessions
            session.isCounted = true
            sessions.list.add(session) { $0.created > session.created }
            sessions.count += 1
            if case .account = owner {
                if sessions.count > SessionClass.maximumPerAccount { state.crowded.insert(owner) }
                return nil
            }
            guard sessions.count > state.maximum else { return nil }
            return sessions.list.oldest.map { ($0, $0.id) }
        }
    }

    /// Stops counting a session. Call before removing it from the store, with the lock of its shard. Does nothing if the session is not
    /// counted.
    func remove(_ session: Session) {
        guard let owner = Owner(of: session) else { return }
        state.withLock { state in
            guard session.isCounted, let sessions = state.owners[owner] else { return }
            session.isCounted = false
            sessions.list.remove(session)
            sessions.count -= 1
            if sessions.count <= SessionClass.maximumPerAccount { state.crowded.remove(owner) }
            if sessions.count == 0 { state.owners[owner] = nil }
        }
    }

    /// The oldest session of an account that has too many, except `session`.
    func surplus(besides session: Session?) -> (session: Session, id: SessionID)? {
        state.withLock { state in
            guard let owner = state.crowded.first, var found = state.owners[owner]?.list.oldest else { return nil }
            if found === session, let next = found.ownerNode.newer { found = next }
            return (found, found.id)
        }
    }
}
