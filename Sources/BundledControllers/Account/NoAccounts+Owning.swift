public import BusinessLogic

/// Without accounts, no code changes a password, no address is confirmed, and no user has an account.
extension NoAccounts: PasswordResetting, AddressConfirming, AccountManaging {
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

    public func endDevice(_ id: String, for client: ClientContext) -> Bool { false }

    public func deleteAccount(for client: ClientContext) {}
}
