public import BusinessLogic

/// The logic of the page on which users who have forgotten their password choose another one, with the code from the mail.
public final class ResetPasswordBusinessLogicController: BusinessLogicController {
    /// The code from the mail.
    public static let code = Field<String>.mailedCode
    /// The new password.
    public static let password = Field<String>("password", isSecret: true, description: "The new password.")
    /// Why the code is wrong.
    public static let message = Output<Message>("message", description: "Why the code is rejected.")
    /// Why the password is rejected; null if it is accepted.
    public static let passwordMessage = Output<Message?>(
        "passwordMessage",
        description: "Why the password is rejected; null if it is accepted."
    )

    /// The address for which the session has requested a code; null without one.
    public static let email = Output<String?>(
        "email",
        description: "The address for which the session has requested a code; null without one."
    )

    public static let events: EventTable<ResetPasswordBusinessLogicController> = [
        .event("viewDidLoad", gives: [.renders(email)]) { $0.show() }.safe(),
        .default(
            "resetButtonPressed",
            reads: code,
            password,
            gives: [
                .renders(message, .wrongResetCode), .rendersAnyMessage(in: passwordMessage),
                .alerts(.tooManyResetCodes, .passwordReset), .goes(to: .login),
            ],
            examples: [["code": "12345678", "password": "a new long password"]]
        ) { try await $0.reset(code: $1, password: $2) },
    ]

    /// What the page remembers.
    public struct State: Codable, Equatable, Sendable {
        var showsObjection = false
    }

    public weak var controllable: (any Controllable)?
    public var state = State()
    private let accounts: any AccountManaging
    private let passwordPolicy: any PasswordPolicy
    private let request: CodeRequest

    /// Creates the logic of the page.
    ///
    /// - Parameters:
    ///   - request: checks the code.
    ///   - accounts: changes passwords.
    ///   - passwordPolicy: decides which passwords are accepted.
    public init(
        request: CodeRequest,
        accounts: any AccountManaging,
        passwordPolicy: any PasswordPolicy = NonEmptyPasswordPolicy()
    ) {
        self.request = request
        self.accounts = accounts
        self.passwordPolicy = passwordPolicy
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size }

    private func show() {
        let pending = request.pending
        render(Self.email, pending?.purpose == .reset ? pending?.email : nil)
    }

    private func reset(code: String, password: String) async throws {
        // Before the code, which stays valid.
        let objection = passwordPolicy.objection(to: password, name: nil, email: request.pending?.email, userID: nil)?
            .about(Self.password.name)
        if objection != nil || state.showsObjection { render(Self.passwordMessage, objection) }
        state.showsObjection = objection != nil
        if objection != nil { return }
        switch try await request.check(code, for: .reset) {
        case .exhausted: showAlert(.tooManyResetCodes)
        case .wrong: render(Self.message, .wrongResetCode)
        case .right(let pending):
            request.use()
            guard try await accounts.resetPassword(password, ofAccountWith: pending.email, for: request.client) else {
                return render(Self.message, .wrongResetCode)
            }
            showAlert(.passwordReset)
            goToPage(.login)
        }
    }
}

extension Message {
    /// The code is not the one that was sent in this session, has been used, or has expired.
    public static let wrongResetCode = Message(code: "reset.wrongCode", text: "This code is not valid", field: "code")
    /// Too many wrong codes were entered.
    public static let tooManyResetCodes = Message(
        code: "reset.tooManyAttempts",
        text: "There were too many wrong codes. Request a new one in ten minutes"
    )
    /// The password was changed.
    public static let passwordReset = Message.notice(
        code: "reset.successful",
        text: "Your password was changed. Log in with it"
    )
}
