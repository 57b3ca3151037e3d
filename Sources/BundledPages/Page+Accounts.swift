public import BundledControllers
public import BusinessLogic
public import UnderstudyPages

extension Page {
    /// Returns the pages with which users recover and change their accounts: `forgot`, `reset`, `verify` and `account`.
    ///
    /// They need mails: `forgot`, `verify` and `account` send codes. With the default arguments, no code is right, and no user has an account.
    ///
    /// - Parameters:
    ///   - accounts: sends one-time codes by email, and reads and changes the accounts.
    ///   - credentials: checks the current password of a user who changes the account.
    ///   - passwordPolicy: decides which new passwords are accepted.
    ///   - clock: provides the time, by which codes expire.
    public static func accounts(
        _ accounts: any AccountManaging = NoAccounts(),
        credentials: any CredentialChecking = FixedCredentials(),
        passwordPolicy: any PasswordPolicy = NonEmptyPasswordPolicy(),
        clock: any WallClock = SystemClock()
    ) -> [Page] {
        let policyExamples = ResultExamples("passwordPolicy", [nil, passwordPolicy.messages.first])
        return [
            Page("forgot", inNavigation: false, changesUser: false, resultExamples: [.codeHash]) {
                ForgotPasswordBusinessLogicController(request: $0.codeRequest(accounts, clock))
            },
            Page(
                "reset",
                inNavigation: false,
                messages: passwordPolicy.messages,
                changesUser: false,
                resultExamples: [policyExamples]
            ) {
                ResetPasswordBusinessLogicController(
                    request: $0.codeRequest(accounts, clock),
                    accounts: $0.recorded(accounts),
                    passwordPolicy: $0.recorded(passwordPolicy)
                )
            },
            Page(
                "verify",
                inNavigation: false,
                resultExamples: [
                    .codeHash, ResultExamples("addresses", [User(username: "lisa@rules.example", id: "1"), nil]),
                    ResultExamples("addresses", ["lisa@rules.example"]),
                ]
            ) {
                VerifyAddressBusinessLogicController(
                    request: $0.codeRequest(accounts, clock),
                    accounts: $0.recorded(accounts),
                    login: $0.loginSteps(clock)
                )
            },
            Page(
                "account",
                inNavigation: false,
                messages: passwordPolicy.messages,
                resultExamples: [
                    .codeHash, policyExamples, ResultExamples("accountDetails", [AccountDetails.example, nil]),
                    ResultExamples("accountSessions", [AccountSessions([])]),
                    ResultExamples("credentials", [User(username: "lisa@rules.example", id: "1"), nil]),
                ]
            ) {
                AccountBusinessLogicController(
                    accounts: $0.recorded(accounts),
                    credentials: $0.recorded(credentials),
                    request: $0.codeRequest(accounts, clock),
                    passwordPolicy: $0.recorded(passwordPolicy),
                    identity: $0.identity
                )
            },
        ]
    }

    /// Returns the page `mailbox`, which shows everyone the mails of a demonstration. Do not serve it with real accounts.
    public static func mailbox(_ mailbox: any Mailbox) -> Page {
        Page(
            "mailbox",
            inNavigation: false,
            changesUser: false,
            resultExamples: [ResultExamples("mailbox", [[MailboxEntry]()])]
        ) {
            MailboxBusinessLogicController(mailbox: $0.recorded(mailbox))
        }
    }
}

extension PageContext {
    func codeRequest(_ accounts: any AccountManaging, _ clock: any WallClock) -> CodeRequest {
        CodeRequest(code: self[.pendingCode], accounts: recorded(accounts), clock: recorded(clock), identity: identity)
    }

    func loginSteps(_ clock: any WallClock) -> LoginSteps {
        LoginSteps(progress: self[.loginProgress], clock: recorded(clock), identity: identity)
    }
}

extension ResultExamples {
    /// The hash of a code; in place of it, any text.
    fileprivate static let codeHash = ResultExamples("codes", ["$argon2id$"])
}

extension AccountDetails {
    fileprivate static let example = AccountDetails(
        name: "Lisa",
        username: "lisa@rules.example",
        email: "lisa@rules.example",
        emailConfirmed: nil,
        userID: nil,
        contactEmail: nil,
        created: Timestamp(milliseconds: 1_700_000_000_000),
        devices: []
    )
}
