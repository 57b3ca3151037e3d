package import BusinessLogic

/// The logic of a page that only operators use.
package protocol OperatorController: BusinessLogicController {
    var administration: any Administration { get }
    var identity: any Identity { get }
}

extension OperatorController {
    /// Runs `body` for the operator who is logged in. If no operator is, or the token of the server has changed since, logs out and goes to the
    /// login.
    func asOperator(_ body: (ClientContext) async throws -> Void) async throws {
        guard let user = identity.user else { return goToPage(.operatorLogin) }
        guard try await administration.isLoggedIn(user) else {
            identity.user = nil
            return goToPage(.operatorLogin)
        }
        try await body(identity.client)
    }

    /// Whether an open page may show what is new. An update neither logs out nor goes to another page.
    func mayRefresh() async throws -> Bool {
        guard let user = identity.user else { return false }
        return try await administration.isLoggedIn(user)
    }
}
