/// The intention to enter an email address: changes the person. It does not refer to a screen.
public struct EnterEmailIntention {
    private let person: Person

    /// Creates the intention to change that person.
    public init(person: Person) {
        self.person = person
    }

    /// Call when the user has entered an address.
    public func enter(email: String) {
        person.email = email
    }
}
