package import BusinessLogic

/// An agent of a user, which a user has given a token.
package struct Agent: Sendable {
    /// Identifies the agent for people, in the audit log and in recordings.
    package let id: String
    /// The user in whose place it acts.
    package let user: User
    /// Whether it may send all events; otherwise, those that are declared as safe.
    package let mayChange: Bool

    /// An agent.
    package init(id: String, user: User, mayChange: Bool) {
        (self.id, self.user, self.mayChange) = (id, user, mayChange)
    }
}

/// What lets the sessions of agents start one at a time, also after a reload.
final class AgentStarts: Sendable {
    let lock = AsyncLock()
}
