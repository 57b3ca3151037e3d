public import BusinessLogic

/// Puts the email page together as a storyboard scene does (article "Single Responsibility Principle & iOS"): events
/// go to the intentions, the intentions change the person, the screen observes the person.
public final class EmailBusinessLogicController: BusinessLogicController {
    public static let events: EventTable<EmailBusinessLogicController> = [
        .default(
            "emailChanged",
            reads: [.optional("email", maximumLength: 254)],
            examples: [["email": "lisa@rules.example"], ["email": "lisa@rules"]]
        ) { $0.enterEmail.enter(email: $0.text("email") ?? "") },
        .event("saveButtonPressed") { try await $0.saveEmail.save() },
    ]

    private let person: Person
    private let screen: EmailScreen
    private let enterEmail: EnterEmailIntention
    private let saveEmail: SaveEmailIntention

    /// What the email page remembers.
    public struct State: Codable, Equatable, Sendable {
        /// The address as it was entered.
        public var email: String
        /// The state of the save button shown last.
        public var saveButtonEnabled: Bool?
    }

    /// The logic of an email page for that person.
    public init(person: Person = Person()) {
        self.person = person
        screen = EmailScreen()
        enterEmail = EnterEmailIntention(person: person)
        saveEmail = SaveEmailIntention(person: person)
        person.observer = screen
    }

    public var controllable: (any Controllable)? {
        get { screen.controllable }
        set { screen.controllable = newValue }
    }

    public var state: State {
        get { State(email: person.email, saveButtonEnabled: screen.saveButtonEnabled) }
        set {
            // Putting a state back changes nothing that the screen would have to show.
            person.observer = nil
            person.email = newValue.email
            person.observer = screen
            screen.saveButtonEnabled = newValue.saveButtonEnabled
        }
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size + person.email.memorySize }
}
