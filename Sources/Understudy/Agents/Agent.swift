package import BusinessLogic

package struct Agent: Sendable {
    /// Identifies the agent for people, in the audit log and in recordings.
    package let id: String
    package let user: User
    /// Otherwise, it may send only the events that are declared as safe.
    package let mayChange: Bool

    package init(id: String, user: User, mayChange: Bool) {
        (self.id, self.user, self.mayChange) = (id, user, mayChange)
    }
}

/// What lets the sessions of agents start one at a time, also after a reload.
final class AgentStarts: Sendable {
    let lock = AsyncLock()
}
