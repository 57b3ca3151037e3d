import BusinessLogic

/// What all pages have in common that only operators use.
class OperatorPage {
    weak var controllable: (any Controllable)?
    let access: OperatorAccess
    let identity: any Identity

    init(access: OperatorAccess, identity: any Identity) {
        self.access = access
        self.identity = identity
    }
}

extension Eventable where Self: OperatorPage {
    /// Runs `body` with the administration by the operator who is logged in. If no operator is, or the token of the server has changed since,
    /// logs out and goes to the login.
    func asOperator(_ body: (Administration) async throws -> Void) async throws {
        guard let user = identity.user else { return goToPage(.operatorLogin) }
        guard try access.isLoggedIn(user) else {
            identity.user = nil
            return goToPage(.operatorLogin)
        }
        try await body(access.administration.changed(by: identity.client))
    }

    /// The administration for an open page that shows what is new; `nil` if no operator is logged in any more. An update neither logs out nor
    /// goes to another page.
    func administrationForRefresh() throws -> Administration? {
        guard let user = identity.user, try access.isLoggedIn(user) else { return nil }
        return access.administration
    }
}
