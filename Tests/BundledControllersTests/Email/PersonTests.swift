import BundledControllers
import BusinessLogic
import Testing

@Suite struct PersonTests {
    /// Finds one address valid that nobody else would.
    private struct StubEmailValidator: EmailValidating {
        func isValid(email: String?) -> Bool { email == "valid" }
    }

    @Test func `a person has no address at first and is not valid`() {
        let person = Person()
        #expect(person.email == "")
        #expect(!person.isValid)
    }

    @Test func `whether a person is valid is for the validator to say`() {
        let person = Person(validator: StubEmailValidator())
        person.email = "lisa@rules.com"
        #expect(!person.isValid)
        person.email = "valid"
        #expect(person.isValid)
    }

    @Test func `a person without an observer changes and is saved all the same`() async throws {
        let store = StoreSpy()
        let person = Person(store: store)
        try await person.save()
        person.email = "lisa@rules.com"
        try await person.save()
        #expect(await store.saved == ["lisa@rules.com"])
    }

    @Test func `a person that is kept nowhere can be saved`() async throws {
        let person = Person()
        let spy = PersonSpy()
        person.observer = spy
        person.email = "lisa@rules.com"
        try await person.save()
        #expect(spy.notices == [.changed("lisa@rules.com"), .saved("lisa@rules.com")])
    }
}
