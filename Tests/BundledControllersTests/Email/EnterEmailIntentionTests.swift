@testable import BundledControllers
import BusinessLogic
import Testing

@Suite struct EnterEmailIntentionTests {
    @Test func `entering an address changes the person and notifies the observer each time`() {
        let person = Person()
        let spy = PersonSpy()
        person.addObserver(spy)
        let intention = EnterEmailIntention(person: person)
        intention.enter(email: "lisa@rules")
        intention.enter(email: "lisa@rules.com")
        #expect(person.email == "lisa@rules.com")
        #expect(spy.notices == [.changed("lisa@rules"), .changed("lisa@rules.com")])
    }

    @Test func `entering an address saves nothing`() async {
        let store = StoreSpy()
        EnterEmailIntention(person: Person(store: store)).enter(email: "lisa@rules.com")
        #expect(await store.saved == [])
    }
}
