public import BusinessLogic

/// No accounts: a sign-up succeeds and what users register lasts as long as their sessions, but nothing is stored. No code is right, no user has an
/// account, and no login can be completed with a passkey or a code.
public struct NoAccounts: AccountCreating, AccountManaging, FactorManaging, UserIDSaving, PersonSaving {
    /// Creates a collaborator that stores nothing.
    public init() {}

    public func signUp(name: String, email: String, password: String, for client: ClientContext) -> UnconfirmedSignup? {
        nil
    }

    public func save(userID: String, for client: ClientContext = ClientContext()) -> Bool { true }

    public func savedEmail(for client: ClientContext = ClientContext()) -> String? { nil }

    public func save(email: String, for client: ClientContext = ClientContext()) -> Bool { true }

    // MARK: Accounts

    public func sendCode(_ purpose: PendingCode.Purpose, to email: String, for client: ClientContext) -> String { "" }

    public func isRight(_ code: String, hash: String, for client: ClientContext) -> Bool { false }

    public func resetPassword(_ password: String, ofAccountWith email: String, for client: ClientContext) -> Bool {
        false
    }

    public func email(of client: ClientContext) -> String? { nil }

    public func confirm(_ code: PendingCode, for client: ClientContext) -> User? { nil }

    public func details(of client: ClientContext) -> AccountDetails? { nil }

    public func changePassword(to password: String, for client: ClientContext) {}

    public func endSessions(for client: ClientContext) {}

    public func sessions(of client: ClientContext) -> AccountSessions { AccountSessions([]) }

    public func endSession(_ id: String, for client: ClientContext) -> Bool { false }

    public func addAgent(_ agent: AgentGrant, days: Int, for client: ClientContext) -> NewAgent? { nil }

    public func endDevice(_ id: String, for client: ClientContext) -> Bool { false }

    public func deleteAccount(for client: ClientContext) {}

    // MARK: Factors

    public func factors(for login: PendingLogin) -> LoginFactors? { nil }

    public func passkeyRequest(for login: PendingLogin?, _ client: ClientContext) -> Value? { nil }

    public func user(
        withPasskey response: String,
        challenge: String,
        for login: PendingLogin?,
        _ client: ClientContext
    ) -> User? { nil }

    public func user(withCode code: String, for login: PendingLogin, _ client: ClientContext) -> User? { nil }

    public func factors(of client: ClientContext) -> AccountFactors? { nil }

    public func passkeyCreation(for client: ClientContext) -> Value? { nil }

    public func newAuthenticatorApp(for client: ClientContext) -> NewAuthenticatorApp? { nil }

    public func perform(_ action: FactorAction, for client: ClientContext) -> FactorChange? { nil }

    public func endOtherSessions(for client: ClientContext) {}
}
