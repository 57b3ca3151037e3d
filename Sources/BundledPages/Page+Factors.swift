public import BundledControllers
public import BusinessLogic
public import UnderstudyPages

extension [Page] {
    /// Returns these pages with passkeys and second factors: `secondFactor`, which completes logins, and `factors`, on which users change theirs,
    /// and a page `login` that leads to the former and takes passkeys, in place of that among these pages.
    ///
    /// ```swift
    /// let pages = Page.bundled(credentials: accounts, accounts: accounts).withFactors(accounts, credentials: accounts)
    /// ```
    ///
    /// - Parameters:
    ///   - factors: checks and changes factors.
    ///   - credentials: verifies usernames and passwords.
    ///   - clock: provides the time, by which logins and challenges expire.
    ///   - loginLimit: how many logins of a session may fail in a row, and how long further logins are rejected.
    public func withFactors(
        _ factors: any FactorChecking & FactorManaging,
        credentials: any CredentialChecking,
        clock: any WallClock = SystemClock(),
        loginLimit: LoginAttempts.Limit = LoginAttempts.Limit()
    ) -> [Page] {
        let login = Page(
            "login",
            examples: PageExample.login,
            resultExamples: [ResultExamples("credentials", [User(username: "batman"), nil])] + .factors
        ) {
            TwoFactorLoginBusinessLogicController(
                credentials: $0.recorded(credentials),
                factors: $0.recorded(factors),
                login: $0.loginSteps(clock),
                limit: loginLimit
            )
        }
        let secondFactor = Page("secondFactor", examples: PageExample.secondFactor, resultExamples: .factors) {
            SecondFactorBusinessLogicController(factors: $0.recorded(factors), login: $0.loginSteps(clock))
        }
        let own = Page("factors", changesUser: false, examples: PageExample.factors, resultExamples: .factors) {
            FactorsBusinessLogicController(factors: $0.recorded(factors), login: $0.loginSteps(clock))
        }
        return map { $0.name == login.name ? login : $0 } + [secondFactor, own]
    }
}

extension [ResultExamples] {
    /// What checks of factors return.
    static var factors: [ResultExamples] {
        let user = User(username: "lisa@rules.example", id: "1")
        let request = PasskeyRequest(challenge: "AAAA", options: ["challenge": "AAAA"])
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
            ResultExamples("factors", [factors, nil]),
            ResultExamples("factorChange", [FactorChange(factors: factors, recoveryCodes: ["k7f9q-2m8ht"]), nil]),
            ResultExamples("authenticatorApp", [app]),
        ]
    }
}
