public import BusinessLogic

/// What a user lets an agent do, such as the assistant on their computer.
public struct AgentGrant: Codable, Equatable, Sendable {
    /// The name that the user has given to the agent.
    public let name: String
    /// Whether the agent may send all events; otherwise, those that change nothing outside of its session.
    public let mayChange: Bool

    /// Creates a grant.
    public init(name: String, mayChange: Bool) {
        self.name = name
        self.mayChange = mayChange
    }
}

/// An agent of an account, as its user sees it.
public struct AccountAgent: Codable, Equatable, Sendable, ObjectValue {
    /// Identifies the agent among those of the account.
    public let id: String
    /// The name that the user has given to it.
    public let name: String
    /// Whether it may send all events.
    public let mayChange: Bool
    /// When its token stops working.
    public let expires: Timestamp

    /// Creates an agent.
    public init(id: String, name: String, mayChange: Bool, expires: Timestamp) {
        (self.id, self.name, self.mayChange, self.expires) = (id, name, mayChange, expires)
    }

    /// The members, as outputs show them.
    public static let object = ObjectSchema<AccountAgent>(
        showing: Member("id", \.id),
        Member("name", \.name),
        Member("mayChange", \.mayChange),
        Member("expires", \.expires)
    )
}

/// An agent that has just been added.
public struct NewAgent: Codable, Equatable, Sendable {
    /// The agent.
    public let agent: AccountAgent
    /// Its token, which cannot be read again.
    public let token: String

    /// Creates an agent with its token.
    public init(_ agent: AccountAgent, token: String) {
        (self.agent, self.token) = (agent, token)
    }
}
