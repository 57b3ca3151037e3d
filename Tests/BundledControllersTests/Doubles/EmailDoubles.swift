import BundledControllers
import BusinessLogic
import TestSupport

/// Records the notifications about a person, in order.
final class PersonSpy: PersonObserver {
    enum Notice: Equatable {
        case changed(String)
        case saved(String)
        case refused(String)
    }

    private(set) var notices: [Notice] = []

    func personDidChange(_ person: Person) {
        notices.append(.changed(person.email))
    }

    func personDidSave(_ person: Person) {
        notices.append(.saved(person.email))
    }

    func personDidRefuseToSave(_ person: Person) {
        notices.append(.refused(person.email))
    }
}

/// Records the addresses that it receives.
actor StoreSpy: PersonSaving {
    private(set) var saved: [String] = []

    func save(email: String, for client: ClientContext) {
        saved.append(email)
    }
}

/// A store that cannot be reached.
struct FailingStore: PersonSaving {
    func save(email: String, for client: ClientContext) throws { throw Outage() }
}
