public import BusinessLogic

/// The login screen's logic (article "Unit Testing iOS UIViewControllers").
///
/// Correct credentials go to the page Home and reset the count of failures. Wrong ones render a message. After five failures,
/// any credentials show an alert, until 15 minutes after the last failure. Then a timer, which the article does not have, renders a
/// message. A ``LoginAttempts/Limit`` can change both numbers.
///
/// It logs no one in who needs a second factor: ``TwoFactorLoginBusinessLogicController`` does.
public final class LoginBusinessLogicController: LoginCounting {
    /// The name with which the user logs in.
    public static let username = Field<String>(
        "username",
        maximumLength: 254,
        description: "The name with which the user logs in."
    )
    /// The user's password.
    public static let password = Field<String>("password", isSecret: true, description: "The user's password.")
    /// Why the login failed, or that the user may log in again.
    public static let message = Output<Message>(
        "message",
        description: "Why the login failed, or that the user may log in again."
    )

    public static let events: EventTable<LoginBusinessLogicController> = [
        .default(
            "loginButtonPressed",
            reads: username,
            password,
            gives: [.renders(message, .wrongCredentials), .alerts(.tooManyLoginAttempts), .goes(to: .home)],
            examples: [["username": "batman", "password": "bruce"], ["username": "batman", "password": "robin"]]
        ) { try await $0.checkLogin(username: $1, password: $2) },
        .wake("lockEnded", at: { $0.state.lockEnd($0.limit) }, gives: [.renders(message, .loginAllowed)]) {
            $0.endLock()
        },
    ]

    public weak var controllable: (any Controllable)?
    public var state = LoginAttempts()

    private let credentials: any CredentialChecking
    package let clock: any WallClock
    package let limit: LoginAttempts.Limit
    private let identity: (any Identity)?

    /// The logic of a login screen with those collaborators.
    ///
    /// - Parameters:
    ///   - credentials: checks usernames and passwords.
    ///   - clock: returns the current time, from which the controller computes whether the limit still applies.
    ///   - limit: the number of allowed failures, and how long further attempts are rejected.
    ///   - identity: receives the user who has logged in.
    public init(
        credentials: any CredentialChecking,
        clock: any WallClock,
        limit: LoginAttempts.Limit = LoginAttempts.Limit(),
        identity: (any Identity)? = nil
    ) {
        self.credentials = credentials
        self.clock = clock
        self.limit = limit
        self.identity = identity
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size }

    private func checkLogin(username: String, password: String) async throws {
        let user = try await counted {
            try await credentials.authenticate(
                username: username,
                password: password,
                for: identity?.client ?? ClientContext()
            )
        }
        guard let user else { return }
        identity?.user = user
        goToPage(.home)
    }
}

extension Message {
    /// No user has these credentials.
    public static let wrongCredentials = Message(code: "login.wrongCredentials", text: "Wrong username or password")
    /// The user may log in again, after too many failed logins.
    public static let loginAllowed = Message.notice(code: "login.allowed", text: "You can log in again")
    /// There have been too many failed logins.
    public static let tooManyLoginAttempts = Message(
        code: "login.tooManyAttempts",
        text: "You have exceeded the maximum number of attempts, please try after sometime."
    )
}
