/// The intention to save: saves the person. It does not refer to a screen.
struct SaveEmailIntention {
    let person: Person

    func save() async throws { try await person.save() }
}
