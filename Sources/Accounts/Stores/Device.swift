public import BundledControllers
public import BusinessLogic

/// A browser or an app on which a user has logged in, or an agent of a user. It proves this with a secret, its token.
public struct Device: Equatable, Sendable {
    /// The hash of the token.
    public let key: DeviceKey
    /// The account to which the user logged in.
    public let account: AccountID
    /// The number of failed logins from the device since the last successful one. A login counts as failed until its password
    /// has been verified.
    public var failures: Int
    /// When the token stops working.
    public let expires: Timestamp
    /// What the agent may do; `nil` for a device, on which a person logs in.
    public let agent: AgentGrant?

    /// A device or an agent.
    public init(key: DeviceKey, account: AccountID, failures: Int = 0, expires: Timestamp, agent: AgentGrant? = nil) {
        (self.key, self.account, self.failures, self.expires) = (key, account, failures, expires)
        self.agent = agent
    }
}
