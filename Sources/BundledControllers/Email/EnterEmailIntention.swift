/// Turns entering an email address into a change of the person. Knows no screen.
public struct EnterEmailIntention {
    private let person: Person

    /// The intention to change that person.
    public init(person: Person) {
        self.person = person
    }

    /// Call when an address was entered.
    public func enter(email: String) {
        person.email = email
    }
}
