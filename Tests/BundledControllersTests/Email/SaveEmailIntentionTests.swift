@testable import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct SaveEmailIntentionTests {
    private let spy = PersonSpy()

    private func person(email: String, store: some PersonSaving) -> Person {
        let person = Person(store: store)
        person.email = email
        person.addObserver(spy)
        return person
    }

    @Test func `saving a valid person saves it once and notifies the observer`() async throws {
        let store = StoreSpy()
        try await SaveEmailIntention(person: person(email: "lisa@rules.com", store: store)).save()
        #expect(await store.saved == ["lisa@rules.com"])
        #expect(spy.notices == [.saved("lisa@rules.com")])
    }

    @Test func `a person that is not valid is not saved`() async throws {
        let store = StoreSpy()
        try await SaveEmailIntention(person: person(email: "lisa@rules", store: store)).save()
        #expect(await store.saved == [])
        #expect(spy.notices == [.rejected("lisa@rules", .invalidEmail)])
    }

    @Test func `without a logged-in user, nothing is saved and the observer gets the reason`() async throws {
        let person = person(email: "lisa@rules.com", store: MembersOnlyStore())
        try await SaveEmailIntention(person: person).save()
        #expect(spy.notices == [.rejected("lisa@rules.com", .emailNotLoggedIn)])
        #expect(person.savedEmail == nil)
    }

    @Test func `an error of the store is rethrown, and the observer is not notified`() async {
        let intention = SaveEmailIntention(person: person(email: "lisa@rules.com", store: FailingStore()))
        await #expect(throws: Outage()) { try await intention.save() }
        #expect(spy.notices == [])
    }
}
