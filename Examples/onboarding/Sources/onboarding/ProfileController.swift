import BusinessLogic

/// Asks for the name of a user who has confirmed a telephone number.
final class ProfileController: BusinessLogicController {
    static let name = Field<String>("name", maximumLength: 80)
    static let newsletter = Field<Bool>("newsletter").whenAbsent(false)
    static let welcome = Output<Message>("welcome")

    static let events: EventTable<ProfileController> = [
        .default("viewDidLoad", gives: [.goes(to: .number)]) { $0.viewDidLoad() }.safe(),
        .event(
            "saveButtonPressed",
            reads: name,
            newsletter,
            gives: [.renders(welcome, .welcome("Lisa")), .alerts(.noName), .goes(to: .number)]
        ) { $0.save(name: $1, newsletter: $2) },
    ]

    weak var controllable: (any Controllable)?
    var state = State()
    private let onboarding: Shared<Onboarding>

    struct State: Codable {
        var name: String?
        var newsletter = false
    }

    init(onboarding: Shared<Onboarding>) {
        self.onboarding = onboarding
    }

    private func viewDidLoad() {
        if !onboarding.value.isConfirmed { goToPage(.number) }
    }

    private func save(name: String, newsletter: Bool) {
        guard onboarding.value.isConfirmed else { return goToPage(.number) }
        guard !name.isEmpty else { return showAlert(.noName) }
        state = State(name: name, newsletter: newsletter)
        render(Self.welcome, .welcome(name))
    }
}

extension Message {
    static let noName = Message(code: "profile.noName", text: "Please enter your name", field: "name")

    static func welcome(_ name: String) -> Message {
        .notice(code: "profile.welcome", text: "Welcome, \(name)", parameters: ["name": .string(name)])
    }
}
