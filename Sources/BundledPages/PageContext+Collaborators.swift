internal import BundledControllers
internal import BusinessLogic
internal import Understudy

/// A controller whose collaborators are passed through these gives the same commands in a replay, whatever they answer then.
extension PageContext {
    /// The check of credentials, its answers recorded where the session is.
    func recorded(_ credentials: any CredentialChecking) -> any CredentialChecking {
        isRecorded ? Recorded(credentials, answers) : credentials
    }

    /// The keeper of user IDs, its answers recorded where the session is.
    func recorded(_ userIDs: any UserIDSaving) -> any UserIDSaving {
        isRecorded ? Recorded(userIDs, answers) : userIDs
    }

    /// The policy, its answers recorded where the session is.
    func recorded(_ policy: any PasswordPolicy) -> any PasswordPolicy {
        isRecorded ? Recorded(policy, answers) : policy
    }

    /// The creator of accounts, its answers recorded where the session is.
    func recorded(_ accounts: any AccountCreating) -> any AccountCreating {
        isRecorded ? Recorded(accounts, answers) : accounts
    }

    /// The repository, its answers recorded where the session is.
    func recorded(_ repository: any Repository) -> any Repository {
        isRecorded ? Recorded(repository, answers) : repository
    }

    /// The keeper of email addresses, its answers recorded where the session is.
    func recorded(_ personSaving: any PersonSaving) -> any PersonSaving {
        isRecorded ? Recorded(personSaving, answers) : personSaving
    }
}

/// A collaborator whose answers can be recorded. What it is asked is not: it may be a secret.
private struct Recorded<Collaborator: Sendable>: Sendable {
    let collaborator: Collaborator
    let answers: PageContext.Answers

    init(_ collaborator: Collaborator, _ answers: PageContext.Answers) {
        self.collaborator = collaborator
        self.answers = answers
    }
}

extension Recorded: CredentialChecking where Collaborator == any CredentialChecking {
    func authenticate(username: String, password: String, for client: ClientContext) async throws -> User? {
        try await answers.from("credentials") {
            try await collaborator.authenticate(username: username, password: password, for: client)
        }
    }
}

extension Recorded: UserIDSaving where Collaborator == any UserIDSaving {
    func save(userID: String, for client: ClientContext) async throws -> Bool {
        try await answers.from("userIDs") { try await collaborator.save(userID: userID, for: client) }
    }
}

extension Recorded: PasswordPolicy where Collaborator == any PasswordPolicy {
    func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        answers.from("passwordPolicy", else: nil) {
            collaborator.objection(to: password, name: name, email: email, userID: userID)
        }
    }
}

extension Recorded: AccountCreating where Collaborator == any AccountCreating {
    func createAccount(name: String, email: String, password: String, for client: ClientContext) async throws {
        try await answers.from("accounts") {
            try await collaborator.createAccount(name: name, email: email, password: password, for: client)
        }
    }
}

extension Recorded: Repository where Collaborator == any Repository {
    func get() async throws -> [Product] {
        try await answers.from("repository") { try await collaborator.get() }
    }
}

extension Recorded: PersonSaving where Collaborator == any PersonSaving {
    func save(email: String, for client: ClientContext) async throws {
        try await answers.from("personSaving") {
            try await collaborator.save(email: email, for: client)
        }
    }
}
