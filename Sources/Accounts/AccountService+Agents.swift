public import BundledControllers
public import BusinessLogic

/// Agents of users: programs that use the service in a session of their own. Each has a secret token, of which the store has the hash.
extension AccountService {
    /// Lets an agent use the service as the client's user, until its token expires, the user ends it, or all sessions of the account are
    /// revoked. An account has at most twenty agents; above that, those that expire first end.
    ///
    /// - Returns: the agent with its token of 48 hexadecimal digits; `nil` if no user with an account is logged in, or if the account is
    ///   disabled.
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func addAgent(_ agent: AgentGrant, days: Int, for client: ClientContext) async throws -> NewAgent? {
        guard let account = try await account(of: client) else { return nil }
        let (token, now) = (randomBytes(24).hexadecimalDigits, clock.now)
        let device = Device(
            key: DeviceKey(token: token),
            account: account.id,
            expires: now + .seconds(days * 86_400),
            agent: agent
        )
        guard try await store.addDevice(device, replacing: nil, limit: Self.devicesPerAccount, at: now) else {
            return nil
        }
        await record(.accountChanged, account.id, reason: "agentAdded", agent: device.key.shown, client)
        try await inform(account, .agentAdded, client)
        return device.accountAgent.map { NewAgent($0, token: token) }
    }

    /// The user of an agent, and the agent; `nil` if the token is unknown or has expired, or if the account is disabled.
    package func agent(withToken token: String) async throws -> (User, AccountAgent)? {
        guard let device = try await store.device(DeviceKey(token: token)), let agent = device.accountAgent,
            clock.now < device.expires, let account = try await store.account(device.account), !account.isDisabled
        else { return nil }
        return (account.user, agent)
    }

    /// Records that an agent has begun a session.
    package func recordLogin(ofAgent agent: String, _ client: ClientContext) async {
        await record(.login, client.user?.id.map { AccountID($0) }, reason: "agent", agent: agent, client)
    }
}

extension Device {
    /// The agent as its user sees it; `nil` for a device.
    package var accountAgent: AccountAgent? {
        agent.map { AccountAgent(id: key.shown, name: $0.name, mayChange: $0.mayChange, expires: expires) }
    }
}
