public import BusinessLogic

/// The login screen's logic for users who may have a second factor or passkeys: ``LoginBusinessLogicController`` and what the article does not
/// have.
///
/// If the account has a second factor, a right password goes to the page `secondFactor`. A passkey whose user was verified needs no password.
public final class TwoFactorLoginBusinessLogicController: LoginCounting {
    /// The name with which the user logs in.
    public static let username = LoginBusinessLogicController.username
    /// The user's password.
    public static let password = LoginBusinessLogicController.password
    /// What the passkey has signed.
    public static let passkey = Field<String>.passkeyResponse
    /// Why the login failed, or that the user may log in again.
    public static let message = LoginBusinessLogicController.message
    /// The options with which the client asks for a passkey.
    public static let passkeyRequest = Output<Value>.passkeyRequest

    public static let events: EventTable<TwoFactorLoginBusinessLogicController> = [
        .default(
            "loginButtonPressed",
            reads: username,
            password,
            gives: [
                .renders(message, .wrongCredentials), .alerts(.tooManyLoginAttempts), .goes(to: .home),
                .goes(to: .secondFactor),
            ],
            examples: [["username": "batman", "password": "bruce"], ["username": "batman", "password": "robin"]]
        ) { try await $0.checkLogin(username: $1, password: $2) },
        .event("passkeyRequested", gives: [.renders(passkeyRequest)]) { try await $0.requestPasskey() },
        .event(
            "passkeyChosen",
            reads: passkey,
            gives: [.renders(message, .wrongLoginPasskey), .goes(to: .home)],
            examples: [["passkey": "{}"]]
        ) { try await $0.checkLogin(passkey: $1) },
        .wake("lockEnded", at: { $0.state.lockEnd($0.limit) }, gives: [.renders(message, .loginAllowed)]) {
            $0.endLock()
        },
    ]

    public weak var controllable: (any Controllable)?
    public var state = LoginAttempts()

    private let credentials: any CredentialChecking
    private let factors: any FactorManaging
    package var clock: any WallClock { login.clock }
    package let limit: LoginAttempts.Limit
    private let login: LoginSteps

    /// The logic of a login screen with those collaborators.
    ///
    /// - Parameters:
    ///   - credentials: checks usernames and passwords.
    ///   - factors: checks passkeys.
    ///   - login: the login, which the page `secondFactor` completes.
    ///   - limit: the number of allowed failures, and how long further attempts are rejected.
    public init(
        credentials: any CredentialChecking,
        factors: any FactorManaging,
        login: LoginSteps,
        limit: LoginAttempts.Limit = LoginAttempts.Limit()
    ) {
        self.credentials = credentials
        self.factors = factors
        self.login = login
        self.limit = limit
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size }

    private func checkLogin(username: String, password: String) async throws {
        let verified = try await counted {
            try await credentials.verify(username: username, password: password, for: login.client)
        }
        guard let verified else { return }
        guard let proof = verified.proof else { return finish(verified.user) }
        login.begin(verified.user, proof: proof)
        goToPage(.secondFactor)
    }

    private func requestPasskey() async throws {
        let options = try await factors.passkeyRequest(for: nil, login.client)
        if let options { login.keep(challengeOf: options, for: .login) }
        render(Self.passkeyRequest, options ?? .null)
    }

    // Not counted as a failure: a passkey cannot be guessed, so that the count would only lock out the user.
    private func checkLogin(passkey: String) async throws {
        guard let challenge = login.takeChallenge(for: .login),
            let user = try await factors.user(withPasskey: passkey, challenge: challenge, for: nil, login.client)
        else { return render(Self.message, .wrongLoginPasskey) }
        state = LoginAttempts()
        finish(user)
    }

    private func finish(_ user: User) {
        login.logIn(user)
        goToPage(.home)
    }
}

extension Message {
    /// The passkey is unknown, or has not verified its user.
    public static let wrongLoginPasskey = Message(
        code: "login.wrongPasskey",
        text: "This passkey was not accepted. Log in with your password"
    )
}
