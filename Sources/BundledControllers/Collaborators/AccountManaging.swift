public import BusinessLogic

/// Reads and changes accounts: those of users who have proved that they receive the mails of an address, and those of logged-in users.
public protocol AccountManaging: Sendable {
    // MARK: Codes by email

    /// Sends a code of eight digits to an address.
    ///
    /// It sends none if no account has the address, if too many were sent to it, or if the purpose does not allow one. The caller cannot tell
    /// this from the result, nor from the time that it takes.
    ///
    /// - Parameters:
    ///   - purpose: what the code is for.
    ///   - email: a valid address.
    ///   - client: the client that asks for the code.
    /// - Returns: the salted hash of the code.
    /// - Throws: if no code can be sent now, or if the client's network has asked for too many.
    func sendCode(_ purpose: PendingCode.Purpose, to email: String, for client: ClientContext) async throws -> String

    /// Whether a code is the one with that hash.
    ///
    /// - Parameters:
    ///   - code: eight digits, as the user typed them.
    ///   - hash: what ``sendCode(_:to:for:)`` has returned.
    ///   - client: the client that enters the code.
    /// - Throws: if it cannot be checked now, or if the client's network has entered too many wrong codes.
    func isRight(_ code: String, hash: String, for client: ClientContext) async throws -> Bool

    /// Changes the password of the account with that address, ends its sessions, and informs its owner.
    ///
    /// - Parameters:
    ///   - password: a password that the policy accepts.
    ///   - email: an address whose owner has entered the code that was sent to it.
    ///   - client: the client that changes the password.
    /// - Returns: `false` if no account has the address.
    /// - Throws: if it cannot be changed now.
    func resetPassword(_ password: String, ofAccountWith email: String, for client: ClientContext) async throws -> Bool

    /// The address of the client's account, to which a code can be sent; `nil` if no user with an account is logged in.
    ///
    /// - Throws: if it cannot be read now.
    func email(of client: ClientContext) async throws -> String?

    /// Confirms the address for which a code was sent, or makes it the address of the client's account.
    ///
    /// The first confirmation of an address removes a password that another sign-up has set, and ends the sessions.
    ///
    /// - Parameters:
    ///   - code: the code that the user has entered.
    ///   - client: the client that has entered it.
    /// - Returns: the user of the account; `nil` if no account can get the address.
    /// - Throws: if it cannot be confirmed now.
    func confirm(_ code: PendingCode, for client: ClientContext) async throws -> User?

    // MARK: Logged-in users

    /// The data of the client's account; `nil` if no user with an account is logged in.
    ///
    /// - Throws: if they cannot be read now.
    func details(of client: ClientContext) async throws -> AccountDetails?

    /// Changes the password of the client's account, ends its sessions and devices, and informs its owner.
    ///
    /// - Parameters:
    ///   - password: a password that the policy accepts.
    ///   - client: the client, whose user has just entered the old password.
    /// - Throws: if it cannot be changed now.
    func changePassword(to password: String, for client: ClientContext) async throws

    /// Ends all sessions and devices of the client's account.
    ///
    /// - Throws: if they cannot be ended now.
    func endSessions(for client: ClientContext) async throws

    /// The sessions in which the client's user is logged in.
    ///
    /// - Throws: if they cannot be read now.
    func sessions(of client: ClientContext) async throws -> AccountSessions

    /// Ends a session of the client's account.
    ///
    /// - Parameters:
    ///   - id: its ``AccountSession/id``.
    ///   - client: the client.
    /// - Returns: `false` if the account has no such session.
    /// - Throws: if it cannot be ended now.
    func endSession(_ id: String, for client: ClientContext) async throws -> Bool

    /// Lets an agent use the service as the client's user.
    ///
    /// - Parameters:
    ///   - agent: what the agent may do.
    ///   - days: the number of days for which its token works.
    ///   - client: the client, whose user has just entered the password.
    /// - Returns: the agent with its token; `nil` if no user with an account is logged in.
    /// - Throws: if it cannot be added now.
    func addAgent(_ agent: AgentGrant, days: Int, for client: ClientContext) async throws -> NewAgent?

    /// Forgets a device of the client's account, so that logins from it are treated like those from any other device; or ends an agent.
    ///
    /// - Parameters:
    ///   - id: its ``AccountDevice/id`` or ``AccountAgent/id``.
    ///   - client: the client.
    /// - Returns: `false` if the account has no such device or agent.
    /// - Throws: if it cannot be forgotten now.
    func endDevice(_ id: String, for client: ClientContext) async throws -> Bool

    /// Deletes the client's account, ends its sessions and devices, and informs its owner.
    ///
    /// - Throws: if it cannot be deleted now.
    func deleteAccount(for client: ClientContext) async throws
}

extension AccountManaging {
    /// The address that a user has confirmed, for a mail from your page; `nil` if there is no such address.
    ///
    /// - Parameter id: ``/BusinessLogic/User/id``, never a username, which may be an address of another person.
    /// - Throws: if it cannot be read now.
    public func confirmedEmail(ofUser id: String) async throws -> String? {
        let details = try await details(of: ClientContext(user: User(username: "", id: id)))
        return details?.emailConfirmed == nil ? nil : details?.email
    }
}

/// What a user sees of their account.
public struct AccountDetails: Codable, Equatable, Sendable, ObjectValue {
    /// The user's display name.
    public let name: String
    /// The name with which the user logs in.
    public let username: String
    /// The email address of the account.
    public let email: String
    /// When the user has confirmed the address; `nil` if they have not.
    public let emailConfirmed: Timestamp?
    /// The user ID that the user has registered.
    public let userID: String?
    /// The address at which the user wants to be contacted, if it is another one.
    public let contactEmail: String?
    /// When the account was created.
    public let created: Timestamp
    /// The devices on which the user has logged in.
    public let devices: [AccountDevice]
    /// The agents that use the service as the user.
    public let agents: [AccountAgent]

    /// Creates the details of an account.
    public init(
        name: String,
        username: String,
        email: String,
        emailConfirmed: Timestamp?,
        userID: String?,
        contactEmail: String?,
        created: Timestamp,
        devices: [AccountDevice],
        agents: [AccountAgent] = []
    ) {
        self.name = name
        self.username = username
        self.email = email
        self.emailConfirmed = emailConfirmed
        self.userID = userID
        self.contactEmail = contactEmail
        self.created = created
        self.devices = devices
        self.agents = agents
    }

    /// The members, as outputs show them.
    public static let object = ObjectSchema<AccountDetails>(
        showing: Member("name", \.name),
        Member("username", \.username),
        Member("email", \.email),
        Member("emailConfirmed", \.emailConfirmed),
        Member("userID", \.userID),
        Member("contactEmail", \.contactEmail),
        Member("created", \.created),
        Member("devices", \.devices),
        Member("agents", \.agents)
    )
}

/// A device on which a user has logged in.
public struct AccountDevice: Codable, Equatable, Sendable, ObjectValue {
    /// Identifies the device among those of the account.
    public let id: String
    /// When the user last logged in on it.
    public let lastLogin: Timestamp

    /// Creates a device.
    public init(id: String, lastLogin: Timestamp) {
        self.id = id
        self.lastLogin = lastLogin
    }

    /// The members, as outputs show them.
    public static let object = ObjectSchema<AccountDevice>(
        showing: Member("id", \.id),
        Member("lastLogin", \.lastLogin)
    )
}

/// The sessions in which a user is logged in.
public struct AccountSessions: Codable, Equatable, Sendable {
    /// The latest 50 sessions: the client's own first, then the one that was used last. An account can have more than a page has room for.
    public private(set) var latest: [AccountSession]
    /// The number of all sessions.
    public private(set) var count: Int

    /// Creates a list of those sessions, in any order.
    public init(_ sessions: [AccountSession]) {
        let sorted = sessions.sorted {
            ($0.isCurrent ? 1 : 0, $0.lastUsed, $0.started) > ($1.isCurrent ? 1 : 0, $1.lastUsed, $1.started)
        }
        latest = Array(sorted.prefix(50))
        count = sessions.count
    }

    mutating func remove(_ id: String) {
        guard let index = latest.firstIndex(where: { $0.id == id }) else { return }
        latest.remove(at: index)
        count -= 1
    }
}

/// A session in which a user is logged in.
public struct AccountSession: Codable, Equatable, Sendable, ObjectValue {
    /// Identifies the session among those of the account.
    public let id: String
    /// When the session was started: before the login.
    public let started: Timestamp
    /// When it was last used.
    public let lastUsed: Timestamp
    /// The kind of browser with which the user has logged in, such as `Firefox, Linux`; `nil` if it is unknown.
    public let browser: String?
    /// Whether it is the session of the client that sees this.
    public let isCurrent: Bool

    /// Creates a session.
    public init(id: String, started: Timestamp, lastUsed: Timestamp, browser: String? = nil, isCurrent: Bool) {
        self.id = id
        self.started = started
        self.lastUsed = lastUsed
        self.browser = browser
        self.isCurrent = isCurrent
    }

    /// The members, as outputs show them.
    public static let object = ObjectSchema<AccountSession>(
        showing: Member("id", \.id),
        Member("started", \.started),
        Member("lastUsed", \.lastUsed),
        Member("browser", \.browser),
        Member("isCurrent", \.isCurrent)
    )
}
