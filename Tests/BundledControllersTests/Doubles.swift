/// What the collaborators of a session were asked to do, in order.
typealias CallLog = LockedValue<[String]>

/// Saves each user ID, except for 111111111111, which another user has. Throws for 999999999999.
struct UserIDStore: UserIDSaving {
    let log: CallLog

    func save(userID: String, for client: ClientContext) throws -> Bool {
        if userID == "999999999999" { throw Outage() }
        if userID == "111111111111" { return false }
        log.append("\(client.user?.username ?? "-") has \(userID)")
        return true
    }
}

/// Creates accounts, for the addresses of which a code is sent if `confirms` is set. Throws for Chris.
struct AccountStore: AccountCreating {
    let log: CallLog
    var confirms = false

    func signUp(name: String, email: String, password: String, for client: ClientContext) throws -> UnconfirmedSignup? {
        if name == "Chris" { throw Outage() }
        log.append("\(name) \(email) \(password) of \(client.requestID ?? "-")")
        return confirms ? UnconfirmedSignup(id: "7", codeHash: "hash") : nil
    }
}

/// Saves addresses for logged-in users. Lisa has one from before. Throws for Chris.
struct AddressBook: PersonSaving {
    let log: CallLog

    func savedEmail(for client: ClientContext) throws -> String? {
        if client.user?.username == "chris" { throw Outage() }
        return client.user?.username == "lisa" ? "before@rules.com" : nil
    }

    func save(email: String, for client: ClientContext) throws -> Bool {
        guard let user = client.user else { return false }
        if user.username == "chris" { throw Outage() }
        log.append("\(user.username) has \(email)")
        return true
    }
}

/// Rejects one password always, and a password that equals the name.
struct PolicyStub: PasswordPolicy {
    static let objection = Message(code: "test.objection", text: "Not this one")

    func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        password == "password123" || password == name ? Self.objection : nil
    }
}

/// Accepts only one address, which other validators reject.
struct OneAddress: EmailValidating {
    func isValid(email: String?) -> Bool { email == "valid" }
}

/// Returns one list after another, then throws. Counts its calls.
struct ProductLists: Repository {
    let log: CallLog
    let lists: [[Product]]

    func get() throws -> [Product] {
        log.append("get")
        guard log.value.count <= lists.count else { throw CollaboratorError.outage() }
        return lists[log.value.count - 1]
    }
}
