public import BusinessLogic

/// The sessions of users, which a service has or shares with others.
///
/// Its methods may be called from any number of tasks at the same time.
public protocol UserSessions: Sendable {
    /// The sessions that a user is logged in to, in any order.
    ///
    /// - Parameter user: the user's ID.
    /// - Throws: the error of the session store.
    func sessions(ofUser user: String) async throws -> [UserSession]

    /// Ends a session that a user is logged in to.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - user: the user's ID.
    /// - Returns: `false` if the user has no such session.
    /// - Throws: the error of the session store.
    func endSession(_ session: SessionID, ofUser user: String) async throws -> Bool
}

/// A session that a user is logged in to.
public struct UserSession: Hashable, Sendable {
    /// Names the session.
    public let session: SessionID
    /// When the session was started: before the login.
    public let created: Timestamp
    /// When a request last used the session.
    public let lastUsed: Timestamp
    /// The kind of browser with which the user has logged in, such as `Firefox, Linux`; `nil` if it is unknown.
    public let browser: String?

    /// Creates a description of a session.
    public init(_ session: SessionID, created: Timestamp, lastUsed: Timestamp, browser: String? = nil) {
        self.session = session
        self.created = created
        self.lastUsed = lastUsed
        self.browser = browser
    }
}

/// What an operator sees of a session in a list.
package struct ListedSession: Equatable, Sendable {
    /// Increases from session to session.
    package let number: Int
    package let id: [UInt8]
    package let user: String?
    /// The name of the logged-in user, which is not stored with the session.
    package var username: String?
    package let created: Timestamp
    package let lastUsed: Timestamp
    /// The number of events that have been stored or, of a session in memory, handled.
    package let events: Int
    /// The bytes that the session counts for.
    package let size: Int

    package init(
        number: Int,
        id: [UInt8],
        user: String?,
        created: Timestamp,
        lastUsed: Timestamp,
        events: Int,
        size: Int
    ) {
        (self.number, self.id, self.user) = (number, id, user)
        (self.created, self.lastUsed) = (created, lastUsed)
        (self.events, self.size) = (events, size)
    }
}
