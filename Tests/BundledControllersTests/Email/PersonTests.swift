import BundledControllers
import BusinessLogic
import Testing

@Suite struct PersonTests {
    /// Accepts one address that other validators reject.
    private struct StubEmailValidator: EmailValidating {
        func isValid(email: String?) -> Bool { email == "valid" }
    }

    @Test func `a person has no address at first and is not valid`() {
        let person = Person()
        #expect(person.email == "")
        #expect(!person.isValid)
    }

    @Test func `the injected validator decides whether a person is valid`() {
        let person = Person(validator: StubEmailValidator())
        person.email = "lisa@rules.com"
        #expect(!person.isValid)
        person.email = "valid"
        #expect(person.isValid)
    }

    @Test func `a person without an observer can change and be saved`() async throws {
        let store = StoreSpy()
        let person = Person(store: store)
        try await person.save()
        person.email = "lisa@rules.com"
        try await person.save()
        #expect(await store.saved == ["lisa@rules.com"])
    }

    @Test func `a person can be saved with the default store`() async throws {
        let person = Person()
        let spy = PersonSpy()
        person.observer = spy
        person.email = "lisa@rules.com"
        try await person.save()
        #expect(spy.notices == [.changed("lisa@rules.com"), .saved("lisa@rules.com")])
    }
}
