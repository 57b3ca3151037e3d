public import BusinessLogic

/// A session as a store contains it.
public struct StoredSession: Equatable, Sendable {
    /// The session's ID: 16 bytes, the hash of its token. The token itself is not stored.
    public var id: [UInt8]
    /// The ID of the logged-in user, if any.
    public var user: String?
    /// When the session was started.
    public var created: Timestamp
    /// When a request last used the session.
    public var lastUsed: Timestamp
    /// Everything else, as JSON: the pages with the states of their controllers, the commands, and the responses to requests with
    /// an idempotency key. It contains what the user has entered into fields that are not secret, but no token and no secret.
    public var content: [UInt8]
    /// A keyed hash of the address from which the session was started (for IPv6, of its /64); `nil` if the session does not count against
    /// the limit for addresses. It is the same for the whole life of the session.
    public var address: [UInt8]?
    /// The session's key, if something must be done when the session ends: the store then adds it to
    /// ``SessionStore/claimEndedSessions(limit:at:)``. Otherwise `nil`.
    public var key: String?

    /// Creates a stored session.
    public init(
        id: [UInt8],
        user: String?,
        created: Timestamp,
        lastUsed: Timestamp,
        content: [UInt8],
        address: [UInt8]? = nil,
        key: String? = nil
    ) {
        self.id = id
        self.user = user
        self.created = created
        self.lastUsed = lastUsed
        self.content = content
        self.address = address
        self.key = key
    }
}
