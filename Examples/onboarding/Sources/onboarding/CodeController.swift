import BusinessLogic

/// Asks for the code. After three wrong codes, the user must request another.
final class CodeController: BusinessLogicController {
    static let code = Field<String>("code", isSecret: true, maximumLength: 6)
    static let number = Output<String>("number")

    static let events: EventTable<CodeController> = [
        .default("viewDidLoad", gives: [.renders(number), .goes(to: .number)]) { $0.viewDidLoad() }.safe(),
        .event(
            "continueButtonPressed",
            reads: code,
            gives: [.alerts(.wrongCode(attemptsLeft: 1), .noAttemptsLeft), .goes(to: .profile)]
        ) { $0.confirm($1) },
    ]

    typealias State = NoState

    weak var controllable: (any Controllable)?
    private let onboarding: Shared<Onboarding>
    private let codes: any CodeSending

    init(onboarding: Shared<Onboarding>, codes: any CodeSending) {
        self.onboarding = onboarding
        self.codes = codes
    }

    private func viewDidLoad() {
        guard let number = onboarding.value.number else { return goToPage(.number) }
        render(Self.number, number.text)
    }

    private func confirm(_ code: String) {
        guard onboarding.value.attemptsLeft > 0 else { return showAlert(.noAttemptsLeft) }
        guard codes.isRight(code, sent: onboarding.value.code) else {
            onboarding.value.attemptsLeft -= 1
            return showAlert(.wrongCode(attemptsLeft: onboarding.value.attemptsLeft))
        }
        onboarding.value.isConfirmed = true
        goToPage(.profile)
    }
}

extension Message {
    static let noAttemptsLeft = Message(code: "code.noAttemptsLeft", text: "Please request another code")

    static func wrongCode(attemptsLeft: Int) -> Message {
        Message(
            code: "code.wrong",
            text: "Wrong code, attempts left: \(attemptsLeft)",
            parameters: ["attemptsLeft": Value(attemptsLeft)],
            field: "code"
        )
    }
}
