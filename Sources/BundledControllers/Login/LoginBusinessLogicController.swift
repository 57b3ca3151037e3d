public import BusinessLogic

/// The login screen's logic (article "Unit Testing iOS UIViewControllers"), and what the article does not have: passkeys and second factors.
///
/// Correct credentials go to the page Home and reset the count of failures. Wrong ones render a message. After five failures,
/// any credentials show an alert, until 15 minutes after the last failure. Then a timer, which the article does not have, renders a
/// message. A ``LoginAttempts/Limit`` can change both numbers.
///
/// If the account has a second factor, a right password goes to the page `secondFactor`. A passkey whose user was verified needs no password.
public final class LoginBusinessLogicController: BusinessLogicController {
    /// The name with which the user logs in.
    public static let username = Field<String>(
        "username",
        maximumLength: 254,
        description: "The name with which the user logs in."
    )
    /// The user's password.
    public static let password = Field<String>("password", isSecret: true, description: "The user's password.")
    /// What the passkey has signed.
    public static let passkey = Field<String>.passkeyResponse
    /// Why the login failed, or that the user may log in again.
    public static let message = Output<Message>(
        "message",
        description: "Why the login failed, or that the user may log in again."
    )
    /// The options with which the client asks for a passkey.
    public static let passkeyRequest = Output<Value>.passkeyRequest

    public static let events: EventTable<LoginBusinessLogicController> = [
        .default(
            "loginButtonPressed",
            reads: username,
            password,
            gives: [
                .renders(message, .wrongCredentials), .alerts(.tooManyLoginAttempts), .goes(to: .home),
                .goes(to: .secondFactor),
            ],
            examples: [
                ["username": "batman", "password": "bruce"],
                ["username": "batman", "password": "robin"],
            ]
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
    private let limit: LoginAttempts.Limit
    private let login: LoginSteps

    /// The logic of a login screen with those collaborators.
    ///
    /// - Parameters:
    ///   - credentials: checks usernames and passwords.
    ///   - factors: checks passkeys. By default, there are none.
    ///   - clock: returns the current time, from which the controller computes whether the limit still applies.
    ///   - limit: the number of allowed failures, and how long further attempts are rejected.
    ///   - progress: the login, which the page `secondFactor` completes.
    ///   - identity: receives the user who has logged in.
    public init(
        credentials: any CredentialChecking,
        factors: any FactorManaging = NoAccounts(),
        clock: any WallClock,
        limit: LoginAttempts.Limit = LoginAttempts.Limit(),
        progress: Shared<LoginProgress> = Shared(LoginProgress()),
        identity: (any Identity)? = nil
    ) {
        self.credentials = credentials
        self.factors = factors
        self.limit = limit
        login = LoginSteps(progress: progress, clock: clock, identity: identity)
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size }

    private func checkLogin(username: String, password: String) async throws {
        guard !state.areExhausted(limit, at: login.clock.now) else { return showAlert(.tooManyLoginAttempts) }
        let client = login.client
        guard let verified = try await credentials.verify(username: username, password: password, for: client)
        else {
            state.addFailure(at: login.clock.now)
            return render(Self.message, .wrongCredentials)
        }
        state = LoginAttempts()
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

    private func endLock() {
        state = LoginAttempts()
        render(Self.message, .loginAllowed)
    }
}

extension Message {
    /// No user has these credentials.
    public static let wrongCredentials = Message(
        code: "login.wrongCredentials",
        text: "Wrong username or password"
    )
    /// The passkey is unknown, or has not verified its user.
    public static let wrongLoginPasskey = Message(
        code: "login.wrongPasskey",
        text: "This passkey was not accepted. Log in with your password"
    )
    /// The user may log in again, after too many failed logins.
    public static let loginAllowed = Message.notice(code: "login.allowed", text: "You can log in again")
    /// There have been too many failed logins.
    public static let tooManyLoginAttempts = Message(
        code: "login.tooManyAttempts",
        text: "You have exceeded the maximum number of attempts, please try after sometime."
    )
}
