/// The intention to enter an email address: changes the person. It does not refer to a screen.
struct EnterEmailIntention {
    private let person: Person

    /// Creates the intention to change that person.
    init(person: Person) {
        self.person = person
    }

    /// Call when the user has entered an address.
    func enter(email: String) {
        person.email = email
    }
}
