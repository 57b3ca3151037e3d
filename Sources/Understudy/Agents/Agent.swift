package import BusinessLogic
import HTTPMessages
import SessionStorage
import UnderstudyPages
import UnderstudySessions

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

/// What an agent may use, and in which session.
struct AgentAccess {
    /// The value of the header field `Authorization`; `nil` without a session.
    let authorization: String?
    let tools: [AgentTool]
}

extension UnderstudyService {
    /// What the agent that has sent a request may use: everything in a client's session, with its token; what a user has allowed, with a token
    /// that the user has made; without a token, it can only read.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if the token is unknown; the error of the store of agents, or of sessions.
    func agentAccess(of request: Request) async throws -> AgentAccess {
        switch SessionCredential(request, cookieName: configuration.cookieName) {
        case .bearer(.some): return AgentAccess(authorization: request.headers[.authorization], tools: agentTools)
        case .bearer(nil): break
        case .cookie, .unknown: return AgentAccess(authorization: nil, tools: agentTools)
        }
        // After 'Bearer '.
        let token = String(request.headers[.authorization]?.dropFirst(7) ?? "")
        guard let agent = try await configuration.findAgent?(token) else { throw Problem.unknownToken }
        let session = try await startSession(of: agent, request)
        return AgentAccess(
            authorization: "Bearer \(session.text)",
            tools: agent.mayChange ? agentTools : agentTools.filter(\.event.isSafe)
        )
    }

    /// The session of an agent, which starts if there is none, or if it has expired. Its token is known to the service only, so that all of the
    /// agent's requests come this way.
    private func startSession(of agent: Agent, _ request: Request) async throws -> SessionToken {
        if let shared { try await loadAddressKey(from: shared.store) }
        guard let token = addressKey.token(of: agent.key) else { throw Problem.unknownToken }
        // Several requests of the agent must not start it at the same time.
        try await agentLock.acquire()
        defer { agentLock.release() }
        do {
            if try await withSession(of: .cookie(token.id), { _ in true }) != nil { return token }
        } catch let problem as Problem where problem.code == .notAuthenticated {
            throw Problem(.notAuthenticated, "The agent has logged its user out. A new session can start a minute later.")
        }
        let backend = backend()
        let lease = try await backend.start(token.id, for: request, isContinued: false)
        lease.session.identity.restore(agent.user)
        lease.session.shardEntry.size = 1024
        try await backend.insert(lease.session)
        await configuration.onAgentLogin(
            ClientContext(user: agent.user, address: request.clientAddress, requestID: request.id)
        )
        return token
    }
}
