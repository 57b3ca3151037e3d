import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

struct AgentAccess {
    let tools: [AgentTool]
    fileprivate let session: Session

    fileprivate enum Session {
        case none
        /// That of a client, by its header field `Authorization`.
        case client(String)
        case own(Agent, token: String)
    }
}

extension UnderstudyService {
    /// What the agent that has sent a request may use: everything, in a client's session, with its token; what a user has allowed, with a token
    /// that the user has made; without a token, it can only read.
    func agentAccess(of request: Request) async throws -> AgentAccess {
        let authorization = request.headers[.authorization] ?? ""
        switch credential(of: request) {
        case .bearer(.some): return AgentAccess(tools: agentTools, session: .client(authorization))
        case .cookie, .unknown: return AgentAccess(tools: agentTools, session: .none)
        case .bearer(nil):
            // After 'Bearer '.
            let token = String(decoding: authorization.utf8.dropFirst(7), as: UTF8.self)
            guard let agent = try await configuration.findAgent?(token) else {
                throw Problem(
                    .notAuthenticated,
                    "The agent's token is unknown, has expired or was ended: its user makes another one on the page 'account'."
                )
            }
            let tools = agent.mayChange ? agentTools : agentTools.filter(\.event.isSafe)
            return AgentAccess(tools: tools, session: .own(agent, token: token))
        }
    }

    /// The header field `Authorization` of the agent's session, which starts if it is the agent's own; `nil` without a session. Throws ``Problem``
    /// `notAuthenticated` after a logout.
    func authorization(of access: AgentAccess, _ request: Request) async throws -> String? {
        switch access.session {
        case .none: nil
        case .client(let authorization): authorization
        case .own(let agent, let token): "Bearer \(try await startSession(of: agent, token, request).text)"
        }
    }

    func requiredAuthorization(of access: AgentAccess, _ request: Request) async throws -> String {
        if let authorization = try await authorization(of: access, request) { return authorization }
        throw Problem(
            .notAuthenticated,
            "This needs a session: send the token of an agent, which a user makes on the page 'account', or that of POST /session, as "
                + "'Authorization: Bearer TOKEN'."
        )
    }

    /// The token of an agent's session, which starts unless it exists. It follows from the agent's secret token and a key of the service. So the
    /// agent cannot compute it, and all of its requests come this way; nor can a reader of the database, which contains a hash of the secret.
    private func startSession(of agent: Agent, _ secret: String, _ request: Request) async throws -> SessionToken {
        if let shared { try await loadAddressKey(from: shared.store) }
        guard let token = addressKey.token(of: Array(secret.utf8)) else { throw Problem.unknownToken }
        if try await hasSession(of: token) { return token }
        // Several requests of the agent must not start it at the same time.
        try await agentStarts.lock.acquire()
        defer { agentStarts.lock.release() }
        if try await hasSession(of: token) { return token }
        let lease = try await backend().start(token.id, for: request, isContinued: false)
        lease.session.identity.restore(agent.user)
        lease.session.shardEntry.size = 1024
        lease.session.recorder?.name(agent: agent.id)
        if let shared {
            // Not in memory as well: another request may have read it from the database meanwhile.
            let change = try lease.session.change(size: 1024, at: lease.session.created)
            // Otherwise, another server has started it.
            guard try await shared.store.commit(change, with: []) == .committed else { return token }
        } else {
            try await backend().insert(lease.session)
        }
        await configuration.onAgentLogin(
            agent,
            ClientContext(user: agent.user, address: request.clientAddress, requestID: request.id)
        )
        return token
    }

    private func hasSession(of token: SessionToken) async throws -> Bool {
        do {
            return try await withSession(of: .cookie(token.id)) { _ in true } != nil
        } catch let problem as Problem where problem.code == .notAuthenticated {
            throw Problem(
                .notAuthenticated,
                "The agent has logged its user out. A new session can start a minute later."
            )
        }
    }
}
