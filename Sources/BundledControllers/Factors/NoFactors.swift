public import BusinessLogic

/// Without accounts, there are no passkeys and no codes: no login can be completed with one.
public struct NoFactors: FactorChecking, FactorManaging {
    /// A place without factors.
    public init() {}

    public func factors(for login: PendingLogin) -> LoginFactors? { nil }

    public func passkeyRequest(for login: PendingLogin?, _ client: ClientContext) -> PasskeyRequest? { nil }

    public func user(
        withPasskey response: String,
        challenge: String,
        for login: PendingLogin?,
        _ client: ClientContext
    ) -> User? { nil }

    public func user(withCode code: String, for login: PendingLogin, _ client: ClientContext) -> User? { nil }

    public func factors(of client: ClientContext) -> AccountFactors? { nil }

    public func passkeyCreation(for client: ClientContext) -> PasskeyRequest? { nil }

    public func newAuthenticatorApp(for client: ClientContext) -> NewAuthenticatorApp? { nil }

    public func perform(_ action: FactorAction, for client: ClientContext) -> FactorChange? { nil }

    public func endOtherSessions(for client: ClientContext) {}
}
