public import BusinessLogic

/// The logic of the page for users who have forgotten their password: sends a code to their address.
///
/// The commands are the same whether an account has the address or not.
public final class ForgotPasswordBusinessLogicController: BusinessLogicController {
    /// The address of the account.
    public static let email = Field<String>(
        "email",
        maximumLength: 254,
        description: "The email address of the account."
    )
    /// That a code was sent, or why not.
    public static let message = Output<Message>("message", description: "That a code was sent, or why not.")

    public static let events: EventTable<ForgotPasswordBusinessLogicController> = [
        .default(
            "sendCodeButtonPressed",
            reads: email,
            gives: [.renders(message, .resetCodeSent, .invalidEmail), .alerts(.tooManyResetCodes), .goes(to: .reset)],
            examples: [["email": "lisa@rules.example"], ["email": "lisa@rules"]]
        ) { try await $0.sendCode(to: $1) }
    ]

    public typealias State = NoState

    public weak var controllable: (any Controllable)?
    private let request: CodeRequest

    /// Creates the logic of the page.
    ///
    /// - Parameter request: sends the code.
    public init(request: CodeRequest) { self.request = request }

    private func sendCode(to email: String) async throws {
        guard EmailValidator().isValid(email: email) else { return render(Self.message, .invalidEmail) }
        guard try await request.send(.reset, to: email) else { return showAlert(.tooManyResetCodes) }
        render(Self.message, .resetCodeSent)
        goToPage(.reset)
    }
}

extension Message {
    /// A code was sent, if an account has the address.
    public static let resetCodeSent = Message.notice(
        code: "forgot.codeSent",
        text: "If there is an account with this address, we have sent it a code"
    )
}
