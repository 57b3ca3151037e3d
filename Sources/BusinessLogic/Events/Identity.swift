public import Addresses

/// A user who can log in.
public struct User: Equatable, Codable, Sendable {
    /// The name with which the user logs in.
    public let username: String
    /// The account's permanent ID; `nil` if the user has no account.
    public let id: String?
    /// What the user may do besides what all users may, such as `admin`: the roles that an operator has given to the account, in their order.
    public var roles: [String] { givenRoles ?? [] }
    /// The roles; `nil` if there are none, so that encoders leave them out.
    private let givenRoles: [String]?

    /// Creates a user.
    public init(username: String, id: String? = nil, roles: [String] = []) {
        self.username = username
        self.id = id
        givenRoles = roles.isEmpty ? nil : roles
    }

    private enum CodingKeys: String, CodingKey {
        case username, id
        case givenRoles = "roles"
    }
}

/// The client that sent an event, for collaborators: its user, address, device and request.
public struct ClientContext: Equatable, Sendable {
    /// The user who is logged in, if any.
    public var user: User?
    /// The IP address of the client; `nil` if the event did not come over a network.
    public var address: IPAddress?
    /// Whether a trusted proxy reported ``address``. A limit that exempts this machine's own addresses does not exempt
    /// such a client: the proxy may pass on what the client claims.
    public var isForwarded: Bool
    /// The secret that proves that a user has logged in on this device before; `nil` if the client sent none.
    public var deviceToken: String?
    /// The request's ID in logs; `nil` if the event did not come with a request.
    public var requestID: String?
    /// Identifies the event's effect outside of the service: the same text whenever the event runs again, and another one for any other
    /// event. `nil` if the event did not come with a request.
    ///
    /// Pass it on, for example as the idempotency key of a payment, so that a repeated event has one effect there. It stays the same if
    /// another event has changed the session first, so that the event runs again, and if the client sends the event again in the same
    /// session with the same idempotency key. It has 32 hexadecimal digits.
    public var idempotencyKey: String?
    /// The language (BCP 47) of the texts that the client gets, such as `de`; `nil` if the service has no translations, so that they are
    /// in English.
    ///
    /// A collaborator that sends a text of its own, such as an email, can send it in that language.
    public var language: String?
    /// The session of the event; `nil` if the event did not come over HTTP, or has started its session.
    public var session: SessionID?

    /// Creates a context. By default, it contains nothing about the client.
    public init(
        user: User? = nil,
        address: IPAddress? = nil,
        isForwarded: Bool = false,
        deviceToken: String? = nil,
        requestID: String? = nil,
        idempotencyKey: String? = nil,
        language: String? = nil,
        session: SessionID? = nil
    ) {
        self.user = user
        self.address = address
        self.isForwarded = isForwarded
        self.deviceToken = deviceToken
        self.requestID = requestID
        self.idempotencyKey = idempotencyKey
        self.language = language
        self.session = session
    }
}

/// The client of a session. All controllers of the session share it, and only one task may use it at a time.
public protocol Identity: AnyObject {
    /// The user who is logged in, if any.
    var user: User? { get set }
    /// The client's context, including ``user``. The default implementation contains only the user.
    var client: ClientContext { get }
}

extension Identity {
    public var client: ClientContext { ClientContext(user: user) }

    /// The roles of the logged-in user; none if no user is logged in. If an operator changes them, the user's sessions end.
    public var roles: [String] { user?.roles ?? [] }
}
