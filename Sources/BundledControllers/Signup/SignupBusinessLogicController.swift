public import BusinessLogic

/// Connects the sign-up screen to its view model: events are the inputs, the outputs are commands.
public final class SignupBusinessLogicController: BusinessLogicController, SignupViewModelOutputs {
    public static let events: EventTable<SignupBusinessLogicController> = [
        .event("viewDidLoad") { $0.viewModel.viewDidLoad() },
        .event("nameChanged", reads: [name], examples: [["name": "Lisa"]]) {
            $0.viewModel.nameChanged($0.text("name"))
        },
        .event("emailChanged", reads: [email], examples: [["email": "lisa@rules.example"]]) {
            $0.viewModel.emailChanged($0.text("email"))
        },
        .event("passwordChanged", reads: [password], examples: [["password": "maggie"]]) {
            $0.viewModel.passwordChanged($0.text("password"))
        },
        .default(
            "submitButtonPressed",
            reads: [name, email, password],
            examples: [
                ["name": "Lisa", "email": "lisa@rules.example", "password": "maggie"],
                ["name": "Lisa", "email": "lisa@rules", "password": "maggie"],
            ]
        ) {
            try await $0.viewModel.submitButtonPressed(
                name: $0.text("name"),
                email: $0.text("email"),
                password: $0.text("password")
            )
        },
    ]

    private static let name = Field.optional("name", maximumLength: 256)
    private static let email = Field.optional("email", maximumLength: 254)
    private static let password = Field.optional("password").secret

    public weak var controllable: (any Controllable)?
    private let viewModel: SignupViewModel

    /// The logic of a sign-up screen.
    public init(viewModel: SignupViewModel = SignupViewModel()) {
        self.viewModel = viewModel
        viewModel.outputs = self
    }

    public var state: SignupViewModel.State {
        get { viewModel.state }
        set { viewModel.state = newValue }
    }

    public var stateMemorySize: Int? {
        MemoryLayout<State>.size + (viewModel.state.passwordObjection?.memorySize ?? 0)
    }

    public func alertMessage(_ message: Message) {
        controllable?.showAlert(message)
    }

    public func passwordMessage(_ message: Message?) {
        if let message {
            controllable?.render("passwordMessage", message)
        } else {
            controllable?.render("passwordMessage", .null)
        }
    }

    public func submitButtonEnabled(_ isEnabled: Bool) {
        controllable?.render("submitButtonEnabled", .boolean(isEnabled))
    }
}
