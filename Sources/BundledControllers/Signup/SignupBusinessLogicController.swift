public import BusinessLogic

/// Connects the sign-up screen to its view model: events are the view model's inputs, and its outputs become commands.
public final class SignupBusinessLogicController: BusinessLogicController, SignupViewModelOutputs {
    /// The name of the user.
    public static let name = Field<String?>("name", maximumLength: 256, description: "The user's name.")
    /// The email address of the user.
    public static let email = Field<String?>("email", maximumLength: 254, description: "The user's email address.")
    /// The new password.
    public static let password = Field<String?>("password", isSecret: true, description: "The new password.")
    /// Whether the user can submit the form.
    public static let submitButtonEnabled = Output<Bool>(
        "submitButtonEnabled",
        description: "Whether the user can submit the form."
    )
    /// What is missing in the form; null if nothing is missing any more.
    public static let message = Output<Message?>(
        "message",
        description: "What is missing in the form; null if nothing is missing any more."
    )
    /// Why the password is rejected; null if it is accepted.
    public static let passwordMessage = Output<Message?>(
        "passwordMessage",
        description: "Why the password is rejected; null if it is accepted."
    )
    /// Whether a code was sent to the address, with which the user confirms it on the page `verify`.
    public static let codeSent = Output<Bool>(
        "codeSent",
        description: "Whether a code was sent to the address, with which the user confirms it on the page 'verify'."
    )

    public static let events: EventTable<SignupBusinessLogicController> = [
        .event("viewDidLoad", gives: [.renders(submitButtonEnabled)]) { $0.viewModel.viewDidLoad() }.safe(),
        .event(
            "nameChanged",
            reads: name,
            gives: [.renders(submitButtonEnabled), .renders(message)],
            examples: [["name": "Lisa"]]
        ) { $0.viewModel.nameChanged($1) }.safe(),
        .event(
            "emailChanged",
            reads: email,
            gives: [.renders(submitButtonEnabled), .renders(message)],
            examples: [["email": "lisa@rules.example"]]
        ) { $0.viewModel.emailChanged($1) }.safe(),
        .event(
            "passwordChanged",
            reads: password,
            gives: [.renders(submitButtonEnabled), .renders(message), .rendersAnyMessage(in: passwordMessage)],
            examples: [["password": "maggie"]]
        ) { $0.viewModel.passwordChanged($1) }.safe(),
        .default(
            "submitButtonPressed",
            reads: name,
            email,
            password,
            gives: [
                .alerts(.signupSuccessful, .signupUnsuccessful, .tooManySignupAttempts),
                .renders(message, .signupIncomplete), .rendersAnyMessage(in: passwordMessage),
                .renders(submitButtonEnabled), .renders(codeSent),
            ],
            examples: [
                ["name": "Lisa", "email": "lisa@rules.example", "password": "maggie"],
                ["name": "Lisa", "email": "lisa@rules", "password": "maggie"],
            ]
        ) { try await $0.viewModel.submitButtonPressed(name: $1, email: $2, password: $3) },
    ]

    public weak var controllable: (any Controllable)?
    private let viewModel: SignupViewModel

    /// Creates the logic of a sign-up screen.
    public init(viewModel: SignupViewModel = SignupViewModel()) {
        self.viewModel = viewModel
        viewModel.outputs = self
    }

    public var state: SignupViewModel.State {
        get { viewModel.state }
        set { viewModel.state = newValue }
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size + (viewModel.state.passwordObjection?.memorySize ?? 0) }

    func alertMessage(_ message: Message) { showAlert(message) }

    func passwordMessage(_ message: Message?) { render(Self.passwordMessage, message?.about(Self.password.name)) }

    func submitButtonEnabled(_ isEnabled: Bool) { render(Self.submitButtonEnabled, isEnabled) }

    func formMessage(_ message: Message?) { render(Self.message, message) }

    func codeSent() { render(Self.codeSent, true) }
}
