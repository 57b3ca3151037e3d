public import Addresses

/// Somebody who can log in.
public struct User: Equatable, Codable, Sendable {
    /// The name that they log in with.
    public let username: String
    /// What they are known by for good, where there is an account.
    public let id: String?

    /// A user.
    public init(username: String, id: String? = nil) {
        self.username = username
        self.id = id
    }
}

/// Who is in front of the screens, as a collaborator may want to know it.
public struct ClientContext: Equatable, Sendable {
    /// The user who is logged in, if any.
    public var user: User?
    /// The IP address of the client; `nil` if the event did not come over a network.
    public var address: IPAddress?
    /// Whether a trusted proxy reported ``address``. A limit that exempts this machine's own addresses does not exempt
    /// such a client: the proxy may pass on what the client claims.
    public var isForwarded: Bool
    /// The secret by which a device shows that a user has logged in on it before; `nil` if the client sent none.
    public var deviceToken: String?
    /// The ID of the event's request in logs; `nil` if there is no request.
    public var requestID: String?

    /// A client about whom nothing is known, unless you give more.
    public init(
        user: User? = nil,
        address: IPAddress? = nil,
        isForwarded: Bool = false,
        deviceToken: String? = nil,
        requestID: String? = nil
    ) {
        self.user = user
        self.address = address
        self.isForwarded = isForwarded
        self.deviceToken = deviceToken
        self.requestID = requestID
    }
}

/// Who is in front of the screens: shared by the controllers of one session, and used by one task at a time.
public protocol Identity: AnyObject {
    /// Who has logged in, if anybody has.
    var user: User? { get set }
    /// The same, with all else that is known. Unless implemented, nothing else is.
    var client: ClientContext { get }
}

extension Identity {
    public var client: ClientContext { ClientContext(user: user) }
}
