package import BusinessLogic

/// An agent of a user, which a user has given a token.
package struct Agent: Sendable {
    /// The user in whose place it acts.
    package let user: User
    /// Whether it may send all events; otherwise, those that are declared as safe.
    package let mayChange: Bool
    /// Identifies the agent.
    package let key: [UInt8]

    /// An agent.
    package init(user: User, mayChange: Bool, key: [UInt8]) {
        (self.user, self.mayChange, self.key) = (user, mayChange, key)
    }
}

/// What lets the sessions of agents start one at a time, also after a reload.
final class AgentStarts: Sendable {
    let lock = AsyncLock()
}
