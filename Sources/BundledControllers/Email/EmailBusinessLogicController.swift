public import BusinessLogic

/// Connects the parts of the email page as a storyboard scene does (article "Single Responsibility Principle & iOS"): events go to
/// the intentions, the intentions change the person, and the screen observes the person.
public final class EmailBusinessLogicController: BusinessLogicController {
    /// What the user entered.
    public static let email = Field<String?>("email", maximumLength: 254, description: "The email address.")
    /// Whether the user can save the address.
    public static let saveButtonEnabled = Output<Bool>(
        "saveButtonEnabled",
        description: "Whether the user can save the address."
    )
    /// The address that was saved last.
    public static let savedEmail = Output<String>("email", description: "The address that was saved last.")
    /// Why the address was not saved; null once it has changed.
    public static let message = Output<Message?>(
        "message",
        description: "Why the address was not saved; null once it has changed."
    )

    public static let events: EventTable<EmailBusinessLogicController> = [
        .event("viewDidLoad", gives: [.renders(saveButtonEnabled), .renders(savedEmail)]) {
            try await $0.viewDidLoad()
        }.safe(),
        .default(
            "emailChanged",
            reads: email,
            gives: [.renders(saveButtonEnabled), .renders(message)],
            examples: [["email": "lisa@rules.example"], ["email": "lisa@rules"]]
        ) { $0.enterEmail.enter(email: $1 ?? "") }.safe(),
        .event(
            "saveButtonPressed",
            gives: [
                .goes(to: .advance), .renders(message, .invalidEmail), .renders(saveButtonEnabled),
                .alerts(.emailNotLoggedIn),
            ]
        ) { try await $0.saveEmail.save() },
    ]

    private let person: Person
    private let screen: EmailScreen
    private let enterEmail: EnterEmailIntention
    private let saveEmail: SaveEmailIntention

    /// What the email page stores.
    public struct State: Codable, Equatable, Sendable {
        /// The address as the user entered it.
        var email: String
        var savedEmail: String?
        /// The last shown state of the save button.
        var saveButtonEnabled: Bool?
        /// Whether the screen shows why the person was not saved; `nil` if it does not.
        var showsMessage: Bool?
    }

    /// Creates the logic of an email page for that person.
    public init(person: Person = Person()) {
        self.person = person
        screen = EmailScreen()
        enterEmail = EnterEmailIntention(person: person)
        saveEmail = SaveEmailIntention(person: person)
        person.addObserver(screen)
    }

    public var controllable: (any Controllable)? {
        get { screen.controllable }
        set { screen.controllable = newValue }
    }

    public var state: State {
        get {
            State(
                email: person.email,
                savedEmail: person.savedEmail,
                saveButtonEnabled: screen.saveButtonEnabled,
                showsMessage: screen.showsMessage ? true : nil
            )
        }
        set {
            person.restore(email: newValue.email, savedEmail: newValue.savedEmail)
            screen.saveButtonEnabled = newValue.saveButtonEnabled
            screen.showsMessage = newValue.showsMessage ?? false
        }
    }

    public var stateMemorySize: Int? {
        MemoryLayout<State>.size + person.email.memorySize + (person.savedEmail?.memorySize ?? 0)
    }

    private func viewDidLoad() async throws {
        try await person.load()
        screen.show(person)
    }
}
