public import BusinessLogic

/// Keeps a person's email address for good.
public protocol PersonSaving: Sendable {
    /// Keeps an email address.
    ///
    /// - Parameters:
    ///   - email: the address, which is valid.
    ///   - client: whose it is.
    /// - Throws: where it could not be kept.
    func save(email: String, for client: ClientContext) async throws
}

/// Keeps nothing beyond the person itself, which lives as long as its session.
public struct NoPersonSaving: PersonSaving {
    /// A place that keeps nothing.
    public init() {}

    public func save(email: String, for client: ClientContext = ClientContext()) {}
}

/// Is told what becomes of a person.
public protocol PersonObserver: AnyObject {
    /// The person has changed.
    func personDidChange(_ person: Person)
    /// The person has been saved.
    func personDidSave(_ person: Person)
    /// The person was to be saved but is not valid; nothing has been saved.
    func personDidRefuseToSave(_ person: Person)
}

/// The model behind the email page (article "Single Responsibility Principle & iOS"): intentions change and save it,
/// screens observe it.
public final class Person {
    /// The address as it was entered, valid or not.
    public var email: String {
        didSet { observer?.personDidChange(self) }
    }

    /// Who is told of changes and saves.
    public weak var observer: (any PersonObserver)?

    private let validator: any EmailValidating
    private let store: any PersonSaving
    private let identity: (any Identity)?

    /// A person without an address.
    ///
    /// - Parameters:
    ///   - validator: judges addresses.
    ///   - store: keeps the one that is saved.
    ///   - identity: whose it is.
    public init(
        validator: any EmailValidating = EmailValidator(),
        store: any PersonSaving = NoPersonSaving(),
        identity: (any Identity)? = nil
    ) {
        email = ""
        self.validator = validator
        self.store = store
        self.identity = identity
    }

    /// Whether the person could be saved as it is.
    public var isValid: Bool {
        validator.isValid(email: email)
    }

    /// Saves the person if it is valid.
    ///
    /// - Throws: what the store throws; the person is not saved then.
    public func save() async throws {
        guard isValid else {
            observer?.personDidRefuseToSave(self)
            return
        }
        try await store.save(email: email, for: identity?.client ?? ClientContext())
        observer?.personDidSave(self)
    }
}
