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
    func endSession(_ session: SessionReference, ofUser user: String) async throws -> Bool
}

/// A session that a user is logged in to.
public struct UserSession: Hashable, Sendable {
    /// Names the session.
    public let session: SessionReference
    /// When the session was started: before the login.
    public let created: Timestamp
    /// When a request last used the session.
    public let lastUsed: Timestamp

    /// Creates a description of a session.
    public init(_ session: SessionReference, created: Timestamp, lastUsed: Timestamp) {
        self.session = session
        self.created = created
        self.lastUsed = lastUsed
    }
}
