public import BusinessLogic

/// A controller whose collaborators are passed through these gives the same commands in a replay, whatever they answer then.
extension PageContext {
    /// The clock, recorded where the session is.
    public func recorded(_ clock: any WallClock) -> any WallClock {
        tape.map { Recorded(clock, $0) } ?? clock
    }

    /// The check of credentials, its answers recorded where the session is.
    public func recorded(_ credentials: any CredentialChecking) -> any CredentialChecking {
        tape.map { Recorded(credentials, $0) } ?? credentials
    }

    /// The keeper of user IDs, its answers recorded where the session is.
    public func recorded(_ userIDs: any UserIDSaving) -> any UserIDSaving {
        tape.map { Recorded(userIDs, $0) } ?? userIDs
    }

    /// The policy, its answers recorded where the session is.
    public func recorded(_ policy: any PasswordPolicy) -> any PasswordPolicy {
        tape.map { Recorded(policy, $0) } ?? policy
    }

    /// The creator of accounts, its answers recorded where the session is.
    public func recorded(_ accounts: any AccountCreating) -> any AccountCreating {
        tape.map { Recorded(accounts, $0) } ?? accounts
    }

    /// The repository, its answers recorded where the session is.
    public func recorded(_ repository: any Repository) -> any Repository {
        tape.map { Recorded(repository, $0) } ?? repository
    }

    /// The keeper of email addresses, its answers recorded where the session is.
    public func recorded(_ personSaving: any PersonSaving) -> any PersonSaving {
        tape.map { Recorded(personSaving, $0) } ?? personSaving
    }
}

/// A collaborator whose answers go through a tape. What it is asked is not recorded: it may be a secret.
private struct Recorded<Collaborator: Sendable>: Sendable {
    let collaborator: Collaborator
    let tape: Tape

    init(_ collaborator: Collaborator, _ tape: Tape) {
        self.collaborator = collaborator
        self.tape = tape
    }
}

extension Recorded: WallClock where Collaborator == any WallClock {
    var now: Timestamp { tape.time(collaborator) }
}

extension Recorded: CredentialChecking where Collaborator == any CredentialChecking {
    func authenticate(username: String, password: String, for visitor: Visitor) async throws -> User? {
        try await tape.answer("credentials") {
            try await collaborator.authenticate(username: username, password: password, for: visitor)
        }
    }
}

extension Recorded: UserIDSaving where Collaborator == any UserIDSaving {
    func save(userID: String, for visitor: Visitor) async throws -> Bool {
        try await tape.answer("userIDs") { try await collaborator.save(userID: userID, for: visitor) }
    }
}

extension Recorded: PasswordPolicy where Collaborator == any PasswordPolicy {
    func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        tape.answer("passwordPolicy", else: nil) {
            collaborator.objection(to: password, name: name, email: email, userID: userID)
        }
    }
}

extension Recorded: AccountCreating where Collaborator == any AccountCreating {
    func createAccount(name: String, email: String, password: String, for visitor: Visitor) async throws {
        _ = try await tape.answer("accounts") {
            try await collaborator.createAccount(name: name, email: email, password: password, for: visitor)
            return true
        }
    }
}

extension Recorded: Repository where Collaborator == any Repository {
    func get() async throws -> [Product] {
        try await tape.answer("repository") { try await collaborator.get() }
    }
}

extension Recorded: PersonSaving where Collaborator == any PersonSaving {
    func save(email: String, for visitor: Visitor) async throws {
        _ = try await tape.answer("personSaving") {
            try await collaborator.save(email: email, for: visitor)
            return true
        }
    }
}
