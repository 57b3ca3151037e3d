/// The intention to enter an email address: changes the person. It does not refer to a screen.
struct EnterEmailIntention {
    let person: Person

    func enter(email: String) { person.email = email }
}
