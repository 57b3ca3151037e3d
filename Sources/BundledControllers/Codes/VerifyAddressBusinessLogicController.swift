public import BusinessLogic

/// The logic of the page on which users confirm their address, after a sign-up or a change, with the code from the mail.
public final class VerifyAddressBusinessLogicController: BusinessLogicController {
    /// The code from the mail.
    public static let code = Field<String>.mailedCode
    /// Whether the address is confirmed.
    public static let verified = Output<Bool>("verified", description: "Whether the address is confirmed.")
    /// That a code was sent, or why a code is rejected.
    public static let message = Output<Message>(
        "message",
        description: "That a code was sent, or why a code is rejected."
    )

    public static let events: EventTable<VerifyAddressBusinessLogicController> = [
        .default(
            "verifyButtonPressed",
            reads: code,
            gives: [
                .renders(verified), .renders(message, .wrongVerificationCode),
                .alerts(.tooManyVerificationCodes, .addressChanged),
                .goes(to: .home), .goes(to: .login),
            ],
            examples: [["code": "12345678"]]
        ) { try await $0.verify($1) },
        .event(
            "sendCodeButtonPressed",
            gives: [.renders(message, .verificationCodeSent), .alerts(.tooManyVerificationCodes), .goes(to: .login)]
        ) { try await $0.sendCode() },
    ]

    public typealias State = NoState

    public weak var controllable: (any Controllable)?
    private let accounts: any AccountManaging
    private let request: CodeRequest
    private let login: LoginSteps

    /// Creates the logic of the page.
    ///
    /// - Parameters:
    ///   - request: sends and checks the code.
    ///   - accounts: confirms addresses.
    ///   - login: logs the user in after a sign-up.
    public init(request: CodeRequest, accounts: any AccountManaging, login: LoginSteps) {
        self.request = request
        self.accounts = accounts
        self.login = login
    }

    private func verify(_ code: String) async throws {
        switch try await request.check(code, for: .confirm, .change) {
        case .exhausted: showAlert(.tooManyVerificationCodes)
        case .wrong: render(Self.message, .wrongVerificationCode)
        case .right(let pending):
            request.use()
            guard let user = try await accounts.confirm(pending, for: login.client) else {
                return render(Self.message, .wrongVerificationCode)
            }
            render(Self.verified, true)
            if pending.purpose == .change, login.user?.username != user.username {
                // Sessions with the former name have ended.
                login.logOut()
                showAlert(.addressChanged)
                return goToPage(.login)
            }
            if login.user != user { login.follow(user) }
            goToPage(.home)
        }
    }

    private func sendCode() async throws {
        let pending = request.pending.flatMap { $0.purpose == .reset ? nil : $0 }
        let own = pending == nil ? try await accounts.email(of: login.client) : nil
        guard let email = pending?.email ?? own else { return goToPage(.login) }
        let purpose = pending?.purpose ?? .confirm
        guard try await request.send(purpose, to: email, signup: pending?.signup) else {
            return showAlert(.tooManyVerificationCodes)
        }
        render(Self.message, .verificationCodeSent)
    }
}

extension Message {
    /// A code was sent.
    public static let verificationCodeSent = Message.notice(
        code: "verify.codeSent",
        text: "We have sent a code to your address"
    )
    /// The account has another address, which is its name for logging in.
    public static let addressChanged = Message.notice(
        code: "verify.addressChanged",
        text: "Your address was changed. Log in with it"
    )
    /// The code is not the one that was sent in this session, has been used, or has expired.
    public static let wrongVerificationCode = Message(
        code: "verify.wrongCode",
        text: "This code is not valid",
        field: "code"
    )
    /// Too many wrong codes were entered.
    public static let tooManyVerificationCodes = Message(
        code: "verify.tooManyAttempts",
        text: "There were too many wrong codes. Request a new one in ten minutes"
    )
}
