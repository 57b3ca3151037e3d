public import BusinessLogic

protocol PersonObserver: AnyObject {
    func personDidChange(_ person: Person)
    func personDidSave(_ person: Person)
    func person(_ person: Person, wasNotSaved reason: Message)
}

/// The model of the email page (article "Single Responsibility Principle & iOS"): intentions change and save it, screens
/// observe it.
public final class Person {
    /// The address as the user entered it, valid or not.
    var email: String {
        didSet { notify { $0.personDidChange(self) } }
    }

    /// `nil` if no address has been saved.
    private(set) var savedEmail: String?

    private struct WeakObserver {
        weak var observer: (any PersonObserver)?
    }

    private var observers: [WeakObserver] = []
    private let validator: any EmailValidating
    private let store: any PersonSaving
    private let identity: (any Identity)?

    /// Creates a person without an address.
    ///
    /// - Parameters:
    ///   - validator: decides which addresses are valid.
    ///   - store: saves the address permanently.
    ///   - identity: the client. The person is its user.
    public init(
        validator: any EmailValidating = EmailValidator(),
        store: any PersonSaving = NoAccounts(),
        identity: (any Identity)? = nil
    ) {
        email = ""
        self.validator = validator
        self.store = store
        self.identity = identity
    }

    /// The person does not retain its observers.
    func addObserver(_ observer: any PersonObserver) {
        observers.removeAll { $0.observer == nil || $0.observer === observer }
        observers.append(WeakObserver(observer: observer))
    }

    private func notify(_ body: (any PersonObserver) -> Void) {
        for observer in observers.compactMap(\.observer) { body(observer) }
    }

    var isValid: Bool { validator.isValid(email: email) }

    /// Reads the address that the user has saved before. If the store has none, the one that the session has saved stays.
    func load() async throws {
        if let email = try await store.savedEmail(for: client) { savedEmail = email }
    }

    /// Saves the person if the address is valid. If the store throws, the person is not saved.
    func save() async throws {
        guard isValid else { return notify { $0.person(self, wasNotSaved: .invalidEmail) } }
        guard try await store.save(email: email, for: client) else {
            return notify { $0.person(self, wasNotSaved: .emailNotLoggedIn) }
        }
        savedEmail = email
        notify { $0.personDidSave(self) }
    }

    private var client: ClientContext { identity?.client ?? ClientContext() }

    /// Does not notify the observers, because their screens show the person already.
    func restore(email: String, savedEmail: String?) {
        let observers = exchange(&self.observers, with: [])
        self.email = email
        self.savedEmail = savedEmail
        self.observers = observers
    }
}

extension Message {
    /// Only a logged-in user can save an address.
    public static let emailNotLoggedIn = Message(code: "email.notLoggedIn", text: "Log in to save your email address")
}
