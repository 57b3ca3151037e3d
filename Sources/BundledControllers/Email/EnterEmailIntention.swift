/// The intention to enter an email address: changes the person. It does not refer to a screen.
struct EnterEmailIntention {
    let person: Person

    /// Call when the user has entered an address.
    func enter(email: String) { person.email = email }
}
