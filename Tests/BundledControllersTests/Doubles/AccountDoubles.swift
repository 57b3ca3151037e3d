import BundledControllers
import BusinessLogic
import TestSupport

/// A session's identity, with all that a client can be known by.
final class IdentityStub: Identity {
    var client: ClientContext
    var user: User? {
        get { client.user }
        set { client.user = newValue }
    }

    init(_ client: ClientContext = ClientContext()) {
        self.client = client
    }
}

/// Keeps user IDs, each for whoever came with it first; some it cannot keep.
actor UserIDStore: UserIDSaving {
    private(set) var owners: [String: ClientContext] = [:]

    func save(userID: String, for client: ClientContext) throws -> Bool {
        if userID == "999999999999" { throw Outage() }
        if let owner = owners[userID], owner != client { return false }
        owners[userID] = client
        return true
    }
}

/// Notes the accounts that it is asked to create; it cannot create Chris's.
actor AccountSpy: AccountCreating {
    struct Created: Equatable {
        let name, email, password: String
        let client: ClientContext
    }

    private(set) var created: [Created] = []

    func createAccount(name: String, email: String, password: String, for client: ClientContext) throws {
        if name == "Chris" { throw Outage() }
        created.append(Created(name: name, email: email, password: password, client: client))
    }
}

/// Objects to one password always, and to whichever contains the name.
struct PolicyStub: PasswordPolicy {
    static let objection = Message(code: "test.objection", text: "Not this one")

    func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        password == "password123" || password == name ? Self.objection : nil
    }
}
