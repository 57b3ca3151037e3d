internal import BundledControllers
internal import BusinessLogic
internal import Understudy

/// Pass each collaborator of a controller through its method here: then a replay gives the same commands, because it takes the
/// collaborators' results from the recording.
extension PageContext {
    /// The collaborator; if the session is recorded, its results are recorded too.
    func recorded(_ credentials: any CredentialChecking) -> any CredentialChecking {
        isRecorded ? Recorded(credentials, answers) : credentials
    }

    /// The collaborator; if the session is recorded, its results are recorded too.
    func recorded(_ userIDs: any UserIDSaving) -> any UserIDSaving {
        isRecorded ? Recorded(userIDs, answers) : userIDs
    }

    /// The collaborator; if the session is recorded, its results are recorded too.
    func recorded(_ policy: any PasswordPolicy) -> any PasswordPolicy {
        isRecorded ? Recorded(policy, answers) : policy
    }

    /// The collaborator; if the session is recorded, its results are recorded too.
    func recorded(_ accounts: any AccountCreating) -> any AccountCreating {
        isRecorded ? Recorded(accounts, answers) : accounts
    }

    /// The collaborator; if the session is recorded, its results are recorded too.
    func recorded(_ repository: any Repository) -> any Repository {
        isRecorded ? Recorded(repository, answers) : repository
    }

    /// The collaborator; if the session is recorded, its results are recorded too.
    func recorded(_ personSaving: any PersonSaving) -> any PersonSaving {
        isRecorded ? Recorded(personSaving, answers) : personSaving
    }
}

/// A collaborator whose results are recorded. Its arguments are not, because they may be secret.
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
