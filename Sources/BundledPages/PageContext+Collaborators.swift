internal import BundledControllers
internal import BusinessLogic
internal import UnderstudyPages

extension PageContext {
    /// Returns the collaborator. If the session is recorded, the recording contains its results, so that a replay takes the results from
    /// there and gives the same commands. Pass each collaborator of the bundled controllers through this method.
    ///
    /// - Parameter erased: returns its argument, as the collaborator's protocol.
    func recorded<Collaborator: Sendable>(
        _ collaborator: Collaborator,
        _ erased: (Recorded<Collaborator>) -> Collaborator
    ) -> Collaborator {
        isRecorded ? erased(Recorded(collaborator: collaborator, results: results)) : collaborator
    }
}

/// A collaborator whose results are recorded. Its arguments are not, because they may be secret.
struct Recorded<Collaborator: Sendable>: Sendable {
    let collaborator: Collaborator
    let results: PageContext.Results
}

extension Recorded: CredentialChecking where Collaborator == any CredentialChecking {
    func authenticate(username: String, password: String, for client: ClientContext) async throws -> User? {
        try await results.from("credentials") {
            try await collaborator.authenticate(username: username, password: password, for: client)
        }
    }
}

extension Recorded: UserIDSaving where Collaborator == any UserIDSaving {
    func save(userID: String, for client: ClientContext) async throws -> Bool {
        try await results.from("userIDs") { try await collaborator.save(userID: userID, for: client) }
    }
}

extension Recorded: PasswordPolicy where Collaborator == any PasswordPolicy {
    func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        results.from("passwordPolicy", else: nil) {
            collaborator.objection(to: password, name: name, email: email, userID: userID)
        }
    }

    var messages: [Message] { collaborator.messages }
}

extension Recorded: AccountCreating where Collaborator == any AccountCreating {
    func createAccount(name: String, email: String, password: String, for client: ClientContext) async throws {
        try await results.from("accounts") {
            try await collaborator.createAccount(name: name, email: email, password: password, for: client)
        }
    }
}

extension Recorded: Repository where Collaborator == any Repository {
    func get() async throws -> [Product] {
        try await results.from("repository") { try await collaborator.get() }
    }
}

extension Recorded: PersonSaving where Collaborator == any PersonSaving {
    func savedEmail(for client: ClientContext) async throws -> String? {
        try await results.from("personSaving") { try await collaborator.savedEmail(for: client) }
    }

    func save(email: String, for client: ClientContext) async throws -> Bool {
        try await results.from("personSaving") { try await collaborator.save(email: email, for: client) }
    }
}
