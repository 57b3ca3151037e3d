import Accounts
import BusinessLogic
import RateLimiting

/// Lets operators use the administration after they have logged in with the token of the server.
struct OperatorAccess: Sendable {
    let token: OperatorToken
    let administration: Administration
    /// Returns how the server is.
    let overview: @Sendable () async throws -> Overview

    /// How often one address may enter a wrong token.
    private let failures = AddressLimit(Rate(10, per: .seconds(60)), limitsLoopback: true)

    /// Checks the token of an operator.
    ///
    /// - Parameters:
    ///   - text: what the operator entered.
    ///   - name: what the operator wants to be called in the audit log.
    /// - Returns: the operator as the user of the session; `nil` if the token is wrong.
    /// - Throws: ``/BusinessLogic/CollaboratorError/tooManyRequests(retryAfter:)`` after too many wrong tokens of an address.
    func logIn(token text: String, as name: String, for client: ClientContext) async throws -> User? {
        let clock = administration.clock
        // Counted before anything waits, so that attempts at once cannot exceed the limit.
        if let delay = failures.take(client.address, isForwarded: client.isForwarded, at: clock.steady) {
            throw CollaboratorError.tooManyRequests(retryAfter: delay)
        }
        let entered = OperatorToken.id(of: Array(text.utf8))
        let id: String?
        do {
            id = try token.id == entered ? entered : nil
        } catch {
            // Without the file, no token is wrong.
            failures.giveBack(client.address, isForwarded: client.isForwarded)
            throw error
        }
        if id != nil { failures.giveBack(client.address, isForwarded: client.isForwarded) }
        var event = AuditEvent(id == nil ? .operatorLoginFailed : .operatorLogin, at: clock.now, client: client)
        // What is typed before a wrong token can be a password.
        if id != nil { event.operatorName = name }
        await administration.audit.record(event)
        return id.map { User(username: name, id: $0) }
    }

    /// Whether the token with which the operator has logged in still applies.
    func isLoggedIn(_ operator: User) throws -> Bool { try token.id == `operator`.id }

    /// Records that an operator has logged out.
    func recordLogout(of operator: ClientContext) async {
        await administration.changed(by: `operator`).record(.operatorLogout)
    }
}
