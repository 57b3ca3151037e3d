import BusinessLogic
import SessionStorage
import UnderstudySessions

/// Which sessions are listed or ended. What is `nil` selects all.
struct SessionFilter {
    /// The ID of eight digits.
    var brief: String?
    /// The ID of the logged-in user.
    var user: String?
    /// The hash of the address from which a session without a user was started.
    var address: [UInt8]?
    var ages = SessionAges()

    func selects(_ session: ListedSession) -> Bool {
        (user == nil || session.user == user) && (address == nil || session.user == nil && session.address == address)
            && ages.select(created: session.created, lastUsed: session.lastUsed)
            && (brief == nil || session.brief == brief)
    }
}

/// Which sessions are old enough. What is `nil` selects all.
struct SessionAges {
    /// The latest start.
    var created: Timestamp?
    /// The latest use.
    var lastUsed: Timestamp?

    func select(created: Timestamp, lastUsed: Timestamp) -> Bool {
        self.created.map { created <= $0 } ?? true && self.lastUsed.map { lastUsed <= $0 } ?? true
    }
}

extension ListedSession {
    /// The first 32 bits of the ID, as the log contains them.
    var brief: String { StoredSession.brief(id) }
}
