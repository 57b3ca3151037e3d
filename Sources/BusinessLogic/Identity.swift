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
public struct Visitor: Equatable, Sendable {
    /// Who has logged in, if anybody has.
    public var user: User?
    /// The ids of those who have logged in here before.
    public var knownUsers: Set<String>
    /// The IP address that the event came from; `nil` where it came from no network.
    public var address: String?
    /// What the event's request is called in logs; `nil` where there is none.
    public var requestID: String?

    /// A visitor; nobody who is known, unless said otherwise.
    public init(
        user: User? = nil,
        knownUsers: Set<String> = [],
        address: String? = nil,
        requestID: String? = nil
    ) {
        self.user = user
        self.knownUsers = knownUsers
        self.address = address
        self.requestID = requestID
    }
}

/// Who is in front of the screens: shared by the controllers of one session, and used by one task at a time.
public protocol Identity: AnyObject {
    /// Who has logged in, if anybody has.
    var user: User? { get set }
    /// The same, with all else that is known. Unless implemented, nothing else is.
    var visitor: Visitor { get }
}

extension Identity {
    public var visitor: Visitor { Visitor(user: user) }
}
