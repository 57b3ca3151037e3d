/// The order in which sessions end if there are too many: all of the first case before any of the next.
public enum SessionClass: Int, CaseIterable, Comparable, Sendable {
    /// A user is logged in who has at least ``maximumPerAccount`` newer sessions. So the logins of one account end no sessions of others.
    case surplus
    /// No user is logged in, and only one request has used the session.
    case unused
    /// No user is logged in.
    case anonymous
    /// A user is logged in.
    case loggedIn

    /// How many sessions of an account, the newest ones, are ``loggedIn``.
    public static let maximumPerAccount = 10

    /// The class of a stored session among few of its account. A session that only one request has used was last used when it was started.
    ///
    /// - Parameter session: the session.
    public init(of session: StoredSession) {
        if session.user != nil {
            self = .loggedIn
        } else {
            self = session.version > 1 || session.lastUsed > session.created ? .anonymous : .unused
        }
    }

    /// Whether sessions of the first class end before those of the second.
    public static func < (left: SessionClass, right: SessionClass) -> Bool { left.rawValue < right.rawValue }
}
