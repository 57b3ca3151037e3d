@testable import BundledControllers

/// What `EmailScenarios` do not show: which observers of a person are notified.
struct PersonTests {
    /// Records the notifications about a person, in order.
    final class Observer: PersonObserver {
        private(set) var notices: [String] = []

        func personDidChange(_ person: Person) { notices.append("changed to \(person.email)") }

        func personDidSave(_ person: Person) { notices.append("saved \(person.email)") }

        func person(_ person: Person, wasNotSaved reason: Message) { notices.append("not saved: \(reason.code)") }
    }

    let person = Person()

    @Test func `all observers are notified, and one that was added twice is notified once`() async throws {
        let observers = [Observer(), Observer()]
        for observer in observers + observers { person.addObserver(observer) }
        person.email = "lisa@rules.com"
        try await person.save()
        person.email = "lisa@rules"
        try await person.save()
        for observer in observers {
            #expect(
                observer.notices == [
                    "changed to lisa@rules.com", "saved lisa@rules.com", "changed to lisa@rules",
                    "not saved: email.invalid",
                ]
            )
        }
    }

    @Test func `a person does not retain its observers`() {
        weak var observer: Observer?
        do {
            let added = Observer()
            person.addObserver(added)
            observer = added
        }
        #expect(observer == nil)
        person.email = "a"
    }
}
