public import BundledControllers
public import BusinessLogic
public import UnderstudyPages

extension Page {
    /// Returns the pages `secondFactor`, which completes logins, and `factors`, on which users change their passkeys and second factors.
    ///
    /// ```swift
    /// let pages = Page.bundled(credentials: accounts, accounts: accounts, factors: accounts) + Page.factors(accounts)
    /// ```
    ///
    /// - Parameters:
    ///   - factors: checks and changes factors.
    ///   - clock: provides the time, by which logins and challenges expire.
    public static func factors(
        _ factors: any FactorManaging = NoAccounts(),
        clock: any WallClock = SystemClock()
    ) -> [Page] {
        [
            Page("secondFactor", inNavigation: false, resultExamples: .factors) {
                SecondFactorBusinessLogicController(factors: $0.recorded(factors), login: $0.loginSteps(clock))
            },
            Page("factors", inNavigation: false, changesUser: false, resultExamples: .factors) {
                FactorsBusinessLogicController(factors: $0.recorded(factors), login: $0.loginSteps(clock))
            },
        ]
    }
}

extension [ResultExamples] {
    static var factors: [ResultExamples] {
        let user = User(username: "lisa@rules.example", id: "1")
        let request = ["challenge": "AAAA"] as Value
        let created = Timestamp(milliseconds: 1_700_000_000_000)
        let factors = AccountFactors(
            passkeys: [AccountPasskeyDetails(id: "1", name: "My phone", created: created, lastUsed: nil)],
            authenticatorApp: AuthenticatorAppDetails(created: created, lastUsed: nil),
            recoveryCodes: 10
        )
        let app = NewAuthenticatorApp(secret: "AAAA", text: "AAAA", address: "otpauth:", qrCode: "data:,")
        return [
            ResultExamples("secondFactor", [user, nil]),
            ResultExamples(
                "loginFactors",
                [LoginFactors(passkey: true, authenticatorApp: true, recoveryCodes: true), nil]
            ),
            ResultExamples("passkeyRequest", [request, nil]),
            ResultExamples("factors", [factors, AccountFactors(needsConfirmation: true), nil]),
            ResultExamples("factorChange", [FactorChange(factors: factors, recoveryCodes: ["k7f9q-2m8ht"]), nil]),
            ResultExamples("authenticatorApp", [app]),
        ]
    }
}
