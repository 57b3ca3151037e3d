public import BundledControllers
import BusinessLogic
public import UnderstudyPages

/// Pass the collaborators of a bundled controller through these functions, so that a replay gives the same commands.
extension PageContext {
    /// The credentials to pass to a controller. If the session is recorded, the recording contains which users they returned.
    public func recorded(_ credentials: any CredentialChecking) -> any CredentialChecking {
        recording(credentials) ?? credentials
    }

    /// The store of user IDs to pass to a controller. If the session is recorded, the recording contains its results.
    public func recorded(_ userIDs: any UserIDSaving) -> any UserIDSaving { recording(userIDs) ?? userIDs }

    /// The collaborators of a registration screen, to pass to its view model. If the session is recorded, the recording contains the results of
    /// saving.
    public func recorded(_ collaborators: RegistrationViewModel.Collaborators) -> RegistrationViewModel.Collaborators {
        isRecorded ? collaborators.saving(recorded(collaborators.userIDs)) : collaborators
    }

    /// The password policy to pass to a controller. If the session is recorded, the recording contains its objections.
    public func recorded(_ policy: any PasswordPolicy) -> any PasswordPolicy { recording(policy) ?? policy }

    /// What creates accounts, to pass to a controller. If the session is recorded, the recording contains what must be confirmed, with
    /// the salted hash of the code.
    public func recorded(_ accounts: any AccountCreating) -> any AccountCreating { recording(accounts) ?? accounts }

    /// The repository to pass to a controller. If the session is recorded, the recording contains its products.
    public func recorded(_ repository: any Repository) -> any Repository { recording(repository) ?? repository }

    /// The store of email addresses to pass to a controller. If the session is recorded, the recording contains its results.
    public func recorded(_ personSaving: any PersonSaving) -> any PersonSaving {
        recording(personSaving) ?? personSaving
    }

    /// What reads and changes accounts, to pass to a controller. If the session is recorded, the recording contains its results, and the salted
    /// hashes of codes, which have expired after ten minutes.
    public func recorded(_ accounts: any AccountManaging) -> any AccountManaging { recording(accounts) ?? accounts }

    /// What checks and changes factors, to pass to a controller. If the session is recorded, the recording contains its results, without the
    /// secrets of new authenticator apps and without recovery codes.
    public func recorded(_ factors: any FactorManaging) -> any FactorManaging { recording(factors) ?? factors }

    /// The mails of a demonstration, to pass to a controller. If the session is recorded, the recording contains them.
    public func recorded(_ mailbox: any Mailbox) -> any Mailbox { recording(mailbox) ?? mailbox }

    /// `nil` if the session is not recorded.
    private func recording<Collaborator: Sendable>(_ collaborator: Collaborator) -> Recorded<Collaborator>? {
        isRecorded ? Recorded(collaborator: collaborator, results: results) : nil
    }
}

/// A collaborator whose results are recorded. Its arguments are not, because they may be secret.
struct Recorded<Collaborator: Sendable>: Sendable {
    let collaborator: Collaborator
    let results: PageContext.Results
}

extension Recorded: CredentialChecking where Collaborator == any CredentialChecking {
    func verify(username: String, password: String, for client: ClientContext) async throws -> VerifiedUser? {
        try await results.from("credentials") {
            try await collaborator.verify(username: username, password: password, for: client)
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
    func signUp(
        name: String,
        email: String,
        password: String,
        for client: ClientContext
    ) async throws -> UnconfirmedSignup? {
        try await results.from("accounts") {
            try await collaborator.signUp(name: name, email: email, password: password, for: client)
        }
    }
}

extension Recorded: Repository where Collaborator == any Repository {
    func get() async throws -> [Product] { try await results.from("repository") { try await collaborator.get() } }
}

extension Recorded: PersonSaving where Collaborator == any PersonSaving {
    func savedEmail(for client: ClientContext) async throws -> String? {
        try await results.from("personSaving") { try await collaborator.savedEmail(for: client) }
    }

    func save(email: String, for client: ClientContext) async throws -> Bool {
        try await results.from("personSaving") { try await collaborator.save(email: email, for: client) }
    }
}

extension Recorded: AccountManaging where Collaborator == any AccountManaging {
    func sendCode(_ purpose: PendingCode.Purpose, to email: String, for client: ClientContext) async throws -> String {
        try await results.from("codes") {
            CodeHash(rawValue: try await collaborator.sendCode(purpose, to: email, for: client))
        }.rawValue
    }

    func isRight(_ code: String, hash: String, for client: ClientContext) async throws -> Bool {
        try await results.from("codes") { try await collaborator.isRight(code, hash: hash, for: client) }
    }

    func resetPassword(
        _ password: String,
        ofAccountWith email: String,
        for client: ClientContext
    ) async throws -> Bool {
        try await results.from("passwords") {
            try await collaborator.resetPassword(password, ofAccountWith: email, for: client)
        }
    }

    func email(of client: ClientContext) async throws -> String? {
        try await results.from("addresses") { try await collaborator.email(of: client) }
    }

    func confirm(_ code: PendingCode, for client: ClientContext) async throws -> User? {
        try await results.from("addresses") { try await collaborator.confirm(code, for: client) }
    }

    func details(of client: ClientContext) async throws -> AccountDetails? {
        try await results.from("accountDetails") { try await collaborator.details(of: client) }
    }

    func changePassword(to password: String, for client: ClientContext) async throws {
        try await results.from("accountChanges") { try await collaborator.changePassword(to: password, for: client) }
    }

    func endSessions(for client: ClientContext) async throws {
        try await results.from("accountChanges") { try await collaborator.endSessions(for: client) }
    }

    func sessions(of client: ClientContext) async throws -> AccountSessions {
        try await results.from("accountSessions") { try await collaborator.sessions(of: client) }
    }

    func endSession(_ id: String, for client: ClientContext) async throws -> Bool {
        try await results.from("accountChanges") { try await collaborator.endSession(id, for: client) }
    }

    func addAgent(_ agent: AgentGrant, days: Int, for client: ClientContext) async throws -> NewAgent? {
        try await results.from("agents") { try await collaborator.addAgent(agent, days: days, for: client) }
    }

    func endDevice(_ id: String, for client: ClientContext) async throws -> Bool {
        try await results.from("accountChanges") { try await collaborator.endDevice(id, for: client) }
    }

    func deleteAccount(for client: ClientContext) async throws {
        try await results.from("accountChanges") { try await collaborator.deleteAccount(for: client) }
    }
}

/// The form of the salted hash of a code shows whether an address has an account, and a client can get its own recording. A replay needs the
/// recorded results of ``AccountManaging/isRight(_:hash:for:)`` only.
private struct CodeHash: RawRepresentable, SecretResult {
    let rawValue: String

    var withoutSecrets: CodeHash { CodeHash(rawValue: "") }
}

extension UnconfirmedSignup: SecretResult {
    public var withoutSecrets: UnconfirmedSignup { UnconfirmedSignup(id: "", codeHash: "") }
}

extension NewAgent: SecretResult {
    public var withoutSecrets: NewAgent { NewAgent(agent, token: "") }
}

extension FactorChange: SecretResult {
    public var withoutSecrets: FactorChange {
        FactorChange(factors: factors, recoveryCodes: recoveryCodes.map { _ in "" })
    }
}

extension NewAuthenticatorApp: SecretResult {
    public var withoutSecrets: NewAuthenticatorApp {
        NewAuthenticatorApp(secret: "", text: "", address: "", qrCode: "")
    }
}

extension Recorded: FactorManaging where Collaborator == any FactorManaging {
    func factors(for login: PendingLogin) async throws -> LoginFactors? {
        try await results.from("loginFactors") { try await collaborator.factors(for: login) }
    }

    func passkeyRequest(for login: PendingLogin?, _ client: ClientContext) async throws -> Value? {
        try await results.from("passkeyRequest") { try await collaborator.passkeyRequest(for: login, client) }
    }

    func user(
        withPasskey response: String,
        challenge: String,
        for login: PendingLogin?,
        _ client: ClientContext
    ) async throws -> User? {
        try await results.from("secondFactor") {
            try await collaborator.user(withPasskey: response, challenge: challenge, for: login, client)
        }
    }

    func user(withCode code: String, for login: PendingLogin, _ client: ClientContext) async throws -> User? {
        try await results.from("secondFactor") { try await collaborator.user(withCode: code, for: login, client) }
    }

    func factors(of client: ClientContext) async throws -> AccountFactors? {
        try await results.from("factors") { try await collaborator.factors(of: client) }
    }

    func passkeyCreation(for client: ClientContext) async throws -> Value? {
        try await results.from("passkeyRequest") { try await collaborator.passkeyCreation(for: client) }
    }

    func newAuthenticatorApp(for client: ClientContext) async throws -> NewAuthenticatorApp? {
        try await results.from("authenticatorApp") { try await collaborator.newAuthenticatorApp(for: client) }
    }

    func perform(_ action: FactorAction, for client: ClientContext) async throws -> FactorChange? {
        try await results.from("factorChange") { try await collaborator.perform(action, for: client) }
    }

    func endOtherSessions(for client: ClientContext) async throws {
        try await results.from("factorSessions") { try await collaborator.endOtherSessions(for: client) }
    }
}

extension Recorded: Mailbox where Collaborator == any Mailbox {
    func mails() async throws -> [MailboxEntry] { try await results.from("mailbox") { try await collaborator.mails() } }
}
