/// Turns the wish to save into saving the person. Knows no screen.
public struct SaveEmailIntention {
    private let person: Person

    /// The intention to save that person.
    public init(person: Person) {
        self.person = person
    }

    /// Call when the save button was pressed.
    ///
    /// - Throws: what ``Person/save()`` throws.
    public func save() async throws {
        try await person.save()
    }
}
