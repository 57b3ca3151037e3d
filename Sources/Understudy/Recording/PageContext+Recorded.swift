public import BusinessLogic

/// A controller whose collaborators are passed through these gives the same commands in a replay, whatever they answer then.
extension PageContext {
    /// The clock, recorded where the session is.
    public func recorded(_ clock: any WallClock) -> any WallClock {
        answers.tape.map { RecordedClock(clock: clock, tape: $0) } ?? clock
    }

    /// The random source, its numbers recorded where the session is, so that no secret may be made of them.
    public func recorded(_ random: any RandomNumberGenerator & Sendable) -> any RandomNumberGenerator & Sendable {
        isRecorded ? RecordedRandom(random: random, answers: answers) : random
    }

    /// The check of credentials, its answers recorded where the session is.
    public func recorded(_ credentials: any CredentialChecking) -> any CredentialChecking {
        isRecorded ? Recorded(credentials, answers) : credentials
    }

    /// The keeper of user IDs, its answers recorded where the session is.
    public func recorded(_ userIDs: any UserIDSaving) -> any UserIDSaving {
        isRecorded ? Recorded(userIDs, answers) : userIDs
    }

    /// The policy, its answers recorded where the session is.
    public func recorded(_ policy: any PasswordPolicy) -> any PasswordPolicy {
        isRecorded ? Recorded(policy, answers) : policy
    }

    /// The creator of accounts, its answers recorded where the session is.
    public func recorded(_ accounts: any AccountCreating) -> any AccountCreating {
        isRecorded ? Recorded(accounts, answers) : accounts
    }

    /// The repository, its answers recorded where the session is.
    public func recorded(_ repository: any Repository) -> any Repository {
        isRecorded ? Recorded(repository, answers) : repository
    }

    /// The keeper of email addresses, its answers recorded where the session is.
    public func recorded(_ personSaving: any PersonSaving) -> any PersonSaving {
        isRecorded ? Recorded(personSaving, answers) : personSaving
    }

    private var isRecorded: Bool { answers.tape != nil }
}

/// A clock whose readings go through a tape. They are no answers like others: one that is read more often than it was
/// stands still, and nothing is missing.
private struct RecordedClock: WallClock {
    let clock: any WallClock
    let tape: Tape

    var now: Timestamp { tape.time(clock) }
}

/// A random source whose numbers are answers, as integers of the same bits.
private struct RecordedRandom: RandomNumberGenerator, Sendable {
    var random: any RandomNumberGenerator & Sendable
    let answers: PageContext.Answers
    var fallback: UInt64 = 0

    mutating func next() -> UInt64 {
        // No constant, which some algorithms would refuse for ever: odd steps come by all numbers.
        fallback &+= 0x9E37_79B9_7F4A_7C15
        let answer = answers.from("random", else: Int(truncatingIfNeeded: fallback)) {
            Int(truncatingIfNeeded: random.next())
        }
        return UInt64(truncatingIfNeeded: answer)
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
    func authenticate(username: String, password: String, for visitor: Visitor) async throws -> User? {
        try await answers.from("credentials") {
            try await collaborator.authenticate(username: username, password: password, for: visitor)
        }
    }
}

extension Recorded: UserIDSaving where Collaborator == any UserIDSaving {
    func save(userID: String, for visitor: Visitor) async throws -> Bool {
        try await answers.from("userIDs") { try await collaborator.save(userID: userID, for: visitor) }
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
    func createAccount(name: String, email: String, password: String, for visitor: Visitor) async throws {
        try await answers.from("accounts") {
            try await collaborator.createAccount(name: name, email: email, password: password, for: visitor)
        }
    }
}

extension Recorded: Repository where Collaborator == any Repository {
    func get() async throws -> [Product] {
        try await answers.from("repository") { try await collaborator.get() }
    }
}

extension Recorded: PersonSaving where Collaborator == any PersonSaving {
    func save(email: String, for visitor: Visitor) async throws {
        try await answers.from("personSaving") {
            try await collaborator.save(email: email, for: visitor)
        }
    }
}
