@testable import BundledControllers
import TestSupport

/// Records the notifications about a person, in order.
final class PersonSpy: PersonObserver {
    enum Notice: Equatable {
        case changed(String)
        case saved(String)
        case rejected(String, Message)
    }

    private(set) var notices: [Notice] = []

    func personDidChange(_ person: Person) {
        notices.append(.changed(person.email))
    }

    func personDidSave(_ person: Person) {
        notices.append(.saved(person.email))
    }

    func person(_ person: Person, wasNotSaved reason: Message) {
        notices.append(.rejected(person.email, reason))
    }
}

/// Records the addresses that it receives, and has an address from before for each user.
actor StoreSpy: PersonSaving {
    private(set) var saved: [String] = []
    private let before: [String: String]

    init(_ before: [String: String] = [:]) {
        self.before = before
    }

    func savedEmail(for client: ClientContext) -> String? {
        client.user.flatMap { before[$0.username] }
    }

    func save(email: String, for client: ClientContext) -> Bool {
        saved.append(email)
        return true
    }
}

/// A store that saves addresses only for logged-in users.
struct MembersOnlyStore: PersonSaving {
    func savedEmail(for client: ClientContext) -> String? { nil }

    func save(email: String, for client: ClientContext) -> Bool { client.user != nil }
}

/// A store that cannot be reached.
struct FailingStore: PersonSaving {
    func savedEmail(for client: ClientContext) throws -> String? { throw Outage() }

    func save(email: String, for client: ClientContext) throws -> Bool { throw Outage() }
}
