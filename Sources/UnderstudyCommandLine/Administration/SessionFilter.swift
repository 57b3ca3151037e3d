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
    /// The latest start.
    var created: Timestamp?
    /// The latest use.
    var lastUsed: Timestamp?

    func selects(_ session: ListedSession) -> Bool {
        (user == nil || session.user == user) && (address == nil || session.user == nil && session.address == address)
            && created.map { session.created <= $0 } ?? true && lastUsed.map { session.lastUsed <= $0 } ?? true
            && (brief == nil || session.brief == brief)
    }
}

extension ListedSession {
    /// The first 32 bits of the ID, as the log contains them.
    var brief: String { StoredSession.brief(id) }
}
