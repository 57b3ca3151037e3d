/// The intention to save: saves the person. It does not refer to a screen.
struct SaveEmailIntention {
    let person: Person

    /// Call when the user has pressed the save button.
    ///
    /// - Throws: what ``Person/save()`` throws.
    func save() async throws { try await person.save() }
}
