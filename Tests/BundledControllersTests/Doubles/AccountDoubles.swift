import Synchronization
import TestSupport

/// Stores each user ID for the first client that sends it. Throws for 999999999999.
actor UserIDStore: UserIDSaving {
    private(set) var owners: [String: ClientContext]

    init(_ owners: [String: ClientContext] = [:]) {
        self.owners = owners
    }

    func save(userID: String, for client: ClientContext) throws -> Bool {
        if userID == "999999999999" { throw Outage() }
        if let owner = owners[userID], owner != client { return false }
        owners[userID] = client
        return true
    }
}

/// Records the accounts that it creates. Throws for Chris.
actor AccountSpy: AccountCreating {
    struct Created: Equatable {
        let name, email, password: String
        let client: ClientContext
    }

    private(set) var created: [Created] = []

    func signUp(name: String, email: String, password: String, for client: ClientContext) throws -> UnconfirmedSignup? {
        if name == "Chris" { throw Outage() }
        created.append(Created(name: name, email: email, password: password, client: client))
        return nil
    }
}

/// Creates accounts whose addresses must be confirmed.
struct ConfirmedAccounts: AccountCreating {
    func signUp(name: String, email: String, password: String, for client: ClientContext) -> UnconfirmedSignup? {
        UnconfirmedSignup(id: "7", codeHash: "hash")
    }
}

/// Rejects one password always, and a password that equals the name.
struct PolicyStub: PasswordPolicy {
    static let objection = Message(code: "test.objection", text: "Not this one")

    func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        password == "password123" || password == name ? Self.objection : nil
    }
}
