import BusinessLogic

/// A session's identity, with all that a visitor can be known by.
final class IdentityStub: Identity {
    var visitor: Visitor
    var user: User? {
        get { visitor.user }
        set { visitor.user = newValue }
    }

    init(_ visitor: Visitor = Visitor()) {
        self.visitor = visitor
    }
}

/// Keeps user IDs, each for whoever came with it first; some it cannot keep.
actor UserIDStore: UserIDSaving {
    private(set) var owners: [String: Visitor] = [:]

    func save(userID: String, for visitor: Visitor) throws -> Bool {
        if userID == "999999999999" { throw Outage() }
        if let owner = owners[userID], owner != visitor { return false }
        owners[userID] = visitor
        return true
    }
}

/// Notes the accounts that it is asked to create; it cannot create Chris's.
actor AccountSpy: AccountCreating {
    struct Created: Equatable {
        let name, email, password: String
        let visitor: Visitor
    }

    private(set) var created: [Created] = []

    func createAccount(name: String, email: String, password: String, for visitor: Visitor) throws {
        if name == "Chris" { throw Outage() }
        created.append(Created(name: name, email: email, password: password, visitor: visitor))
    }
}

/// Objects to one password always, and to whichever contains the name.
struct PolicyStub: PasswordPolicy {
    static let objection = Message(code: "test.objection", text: "Not this one")

    func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        password == "password123" || password == name ? Self.objection : nil
    }
}
