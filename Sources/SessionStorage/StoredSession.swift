public import BusinessLogic

/// A session as a store contains it.
public struct StoredSession: Equatable, Sendable {
    /// The session's ID: 16 bytes, the hash of its token. The token itself is not stored.
    public var id: [UInt8]
    /// The ID of the logged-in user, if any.
    public var user: String?
    /// The kind of browser with which the user has logged in, such as `Firefox, Linux`; `nil` if it is unknown.
    public var browser: String?
    /// When the session was started.
    public var created: Timestamp
    /// When a request last used the session.
    public var lastUsed: Timestamp
    /// Everything else that is not in ``events``, as JSON: the pages with the states of their controllers, the commands, and the responses to
    /// requests with an idempotency key. It contains what the user has entered into fields that are not secret, but no token and no secret.
    public var content: [UInt8]
    /// A keyed hash of the address from which the session was started (for IPv6, of its /64); `nil` if the session does not count against
    /// the limit for addresses. It is the same for the whole life of the session.
    public var address: [UInt8]?
    /// The session's key, if something must be done when the session ends: the store then adds it to
    /// ``SessionStore/claimEndedSessions(limit:at:)``. Otherwise `nil`.
    public var key: String?
    /// The number of commits that the session consists of, from 1. It is 1 for a session that was saved.
    public var version: Int
    /// The last events, in order; none for a session that was saved.
    public var events: [StoredEvent]

    /// Creates a stored session.
    public init(
        id: [UInt8],
        user: String?,
        browser: String? = nil,
        created: Timestamp,
        lastUsed: Timestamp,
        content: [UInt8],
        address: [UInt8]? = nil,
        key: String? = nil,
        version: Int = 1,
        events: [StoredEvent] = []
    ) {
        self.id = id
        self.user = user
        self.browser = browser
        self.created = created
        self.lastUsed = lastUsed
        self.content = content
        self.address = address
        self.key = key
        self.version = version
        self.events = events
    }
}

/// The commands of an event, and the response for its idempotency key, as a store contains them.
public struct StoredEvent: Equatable, Sendable {
    /// The session's version with which the event was committed.
    public let version: Int
    /// The commands and the response, as JSON.
    public let content: [UInt8]

    /// Creates an event.
    public init(version: Int, content: [UInt8]) {
        self.version = version
        self.content = content
    }
}

/// What a store contains under an ID.
public enum SessionLookup: Equatable, Sendable {
    /// There is a session in another version than the caller knows.
    case found(StoredSession)
    /// The session's version is the one that the caller knows.
    ///
    /// - Parameter lastUsed: when a request last used the session.
    case unchanged(lastUsed: Timestamp)
    /// A login or logout has replaced the ID less than a minute ago.
    ///
    /// - Parameter response: the encrypted response, if its request had an idempotency key.
    case replaced(response: [UInt8]?)
    /// There is no session.
    case unknown
}

/// How an event changes a shared session.
public struct SessionChange: Equatable, Sendable {
    /// The session after the event, without its version and its events.
    public var session: StoredSession
    /// The version that the event has read; 0 for a new session.
    public var version: Int
    /// A random value of the commit, by which a store recognises it when it is repeated.
    public var token: [UInt8]
    /// What the event adds to ``StoredSession/events``.
    public var event: [UInt8]
    /// Events with lower versions are removed.
    public var oldestEvent: Int
    /// The bytes that the session counts for after the event, with its events.
    public var size: Int
    /// The login or logout, if the event is one; otherwise `nil`.
    public var userChange: UserChange?

    /// A change of the user.
    public struct UserChange: Equatable, Sendable {
        /// The ID that the session's ID replaces; `nil` for a new session.
        public var replacedID: [UInt8]?
        /// The encrypted response, for a client that repeats the request with the replaced ID.
        public var response: [UInt8]?
        /// The time of the change. The replaced ID is known for a minute.
        public var time: Timestamp
        /// The number of the last revocation that the server knew when the event began.
        public var lastRevocation: Int

        /// Creates a change.
        public init(replacedID: [UInt8]?, response: [UInt8]?, time: Timestamp, lastRevocation: Int) {
            self.replacedID = replacedID
            self.response = response
            self.time = time
            self.lastRevocation = lastRevocation
        }

        /// When the replaced ID is forgotten.
        public var expires: Timestamp { time + .seconds(60) }
    }

    /// Creates a change.
    public init(
        session: StoredSession,
        version: Int,
        token: [UInt8],
        event: [UInt8],
        oldestEvent: Int = 0,
        size: Int = 0,
        userChange: UserChange? = nil
    ) {
        self.session = session
        self.version = version
        self.token = token
        self.event = event
        self.oldestEvent = oldestEvent
        self.size = size
        self.userChange = userChange
    }

    /// The ID that the session has before the change.
    public var currentID: [UInt8] { userChange?.replacedID ?? session.id }
}

/// What a commit has done.
public enum CommitResult: Equatable, Sendable {
    /// The change is stored.
    case committed
    /// Nothing is stored, because the session, or what a collaborator has read, has changed since the event began.
    case conflict
    /// Nothing is stored, because the sessions of the user were revoked after the last revocation that the server knew.
    ///
    /// - Parameter last: the number of the last revocation in the store.
    case revoked(last: Int)
}
