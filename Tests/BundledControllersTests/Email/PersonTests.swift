@testable import BundledControllers
import Testing
import TestSupport

@Suite struct PersonTests {
    /// Accepts one address that other validators reject.
    private struct StubEmailValidator: EmailValidating {
        func isValid(email: String?) -> Bool { email == "valid" }
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

    // MARK: Observers

    @Test func `all observers are notified, in the order in which they were added`() async throws {
        let person = Person()
        let spies = [PersonSpy(), PersonSpy()]
        for spy in spies { person.addObserver(spy) }
        person.email = "lisa@rules.com"
        try await person.save()
        person.email = "lisa@rules"
        try await person.save()
        for spy in spies {
            #expect(
                spy.notices == [
                    .changed("lisa@rules.com"), .saved("lisa@rules.com"), .changed("lisa@rules"),
                    .rejected("lisa@rules", .invalidEmail),
                ]
            )
        }
    }

    @Test func `an observer that was added twice is notified once`() {
        let person = Person()
        let (first, second) = (PersonSpy(), PersonSpy())
        person.addObserver(first)
        person.addObserver(second)
        person.addObserver(first)
        person.email = "a"
        #expect(first.notices == [.changed("a")])
        #expect(second.notices == [.changed("a")])
    }

    @Test func `a person does not retain its observers`() {
        let person = Person()
        weak var observer: PersonSpy?
        do {
            let spy = PersonSpy()
            person.addObserver(spy)
            observer = spy
        }
        #expect(observer == nil)
        person.email = "a"
    }

    // MARK: The saved address

    @Test func `a person has no saved address until it is saved`() async throws {
        let person = Person()
        #expect(person.savedEmail == nil)
        try await person.save()
        #expect(person.savedEmail == nil)
        person.email = "lisa@rules.com"
        try await person.save()
        person.email = "bart@rules.com"
        #expect(person.savedEmail == "lisa@rules.com")
        try await person.load()
        #expect(person.savedEmail == "lisa@rules.com")
    }

    @Test func `loading reads the address that the user has saved before`() async throws {
        let identity = StubIdentity(ClientContext(user: User(username: "lisa")))
        let person = Person(
            store: StoreSpy(["lisa": "lisa@rules.com", "bart": "bart@rules.com"]),
            identity: identity
        )
        try await person.load()
        #expect(person.savedEmail == "lisa@rules.com")
        identity.user = User(username: "bart")
        try await person.load()
        #expect(person.savedEmail == "bart@rules.com")
        #expect(person.email == "")
    }

    @Test func `if the store fails, nothing is loaded and nothing is saved`() async throws {
        let person = Person(store: FailingStore())
        let spy = PersonSpy()
        person.email = "lisa@rules.com"
        person.addObserver(spy)
        await #expect(throws: Outage()) { try await person.load() }
        await #expect(throws: Outage()) { try await person.save() }
        #expect(spy.notices == [])
        #expect(person.savedEmail == nil)
    }

    @Test func `the store gets the client that saves`() async throws {
        let identity = StubIdentity()
        let person = Person(store: MembersOnlyStore(), identity: identity)
        let spy = PersonSpy()
        person.email = "lisa@rules.com"
        person.addObserver(spy)
        try await person.save()
        #expect(spy.notices == [.rejected("lisa@rules.com", .emailNotLoggedIn)])
        #expect(person.savedEmail == nil)
        identity.user = User(username: "lisa")
        try await person.save()
        #expect(person.savedEmail == "lisa@rules.com")
    }
}
