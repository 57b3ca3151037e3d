public import BusinessLogic

/// The logic of the page on which users complete a login, after the password, with a passkey, a code of their authenticator app or a recovery
/// code.
///
/// The user is logged in only after it. Five wrong codes in a row, or ten minutes, lead back to the login.
public final class SecondFactorBusinessLogicController: BusinessLogicController {
    /// The code of the app, or a recovery code.
    public static let code = Field<String>(
        "code",
        isSecret: true,
        maximumLength: 64,
        description: "A code of the authenticator app, or a recovery code."
    )
    /// What the passkey has signed.
    public static let passkey = Field<String>.passkeyResponse

    /// With what the login can be completed.
    public static let factors = Output<LoginFactors>("factors", description: "With what the login can be completed.")
    /// The options with which the client asks for a passkey.
    public static let passkeyRequest = Output<Value>.passkeyRequest
    /// Why the code or the passkey is rejected.
    public static let message = Output<Message>("message", description: "Why the code or the passkey is rejected.")

    public static let events: EventTable<SecondFactorBusinessLogicController> = [
        .default(
            "verifyButtonPressed",
            reads: code,
            gives: [
                .renders(message, .wrongSecondFactor), .alerts(.tooManySecondFactors, .secondFactorExpired),
                .goes(to: .home), .goes(to: .login),
            ],
            examples: [["code": "123456"]]
        ) { try await $0.verify($1) },
        .event(
            "viewDidLoad",
            gives: [.renders(factors), .alerts(.secondFactorExpired), .goes(to: .login)]
        ) { try await $0.show() }.safe(),
        .event(
            "passkeyRequested",
            gives: [.renders(passkeyRequest), .alerts(.secondFactorExpired), .goes(to: .login)]
        ) { try await $0.requestPasskey() },
        .event(
            "passkeyChosen",
            reads: passkey,
            gives: [
                .renders(message, .wrongSecondFactor), .alerts(.tooManySecondFactors, .secondFactorExpired),
                .goes(to: .home), .goes(to: .login),
            ],
            examples: [["passkey": "{}"]]
        ) { try await $0.verify(passkey: $1) },
    ]

    /// What the page remembers.
    public struct State: Codable, Equatable, Sendable {
        /// The number of wrong codes and passkeys for the login that waits.
        var failures = 0
    }

    public weak var controllable: (any Controllable)?
    public var state = State()
    private let checks: any FactorManaging
    private let login: LoginSteps

    /// The number of wrong codes and passkeys after which the password must be entered again.
    static let maximumFailures = 5

    /// Creates the logic of the page.
    ///
    /// - Parameters:
    ///   - factors: checks codes and passkeys.
    ///   - login: the login that waits.
    public init(factors: any FactorManaging, login: LoginSteps) {
        checks = factors
        self.login = login
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size }

    private func show() async throws {
        guard let pending = login.pending, let factors = try await checks.factors(for: pending) else {
            return leave(.secondFactorExpired)
        }
        render(Self.factors, factors)
    }

    private func verify(_ code: String) async throws {
        guard let pending = login.pending else { return leave(.secondFactorExpired) }
        try await finish(checks.user(withCode: code, for: pending, login.client), pending)
    }

    private func requestPasskey() async throws {
        guard let pending = login.pending else { return leave(.secondFactorExpired) }
        let options = try await checks.passkeyRequest(for: pending, login.client)
        if let options { login.keep(challengeOf: options, for: .secondFactor) }
        render(Self.passkeyRequest, options ?? .null)
    }

    private func verify(passkey: String) async throws {
        guard let pending = login.pending else { return leave(.secondFactorExpired) }
        guard let challenge = login.takeChallenge(for: .secondFactor) else {
            return render(Self.message, .wrongSecondFactor)
        }
        let user = try await checks.user(withPasskey: passkey, challenge: challenge, for: pending, login.client)
        try await finish(user, pending)
    }

    /// Without a user, counts a failure.
    private func finish(_ user: User?, _ pending: PendingLogin) async throws {
        if let user {
            state = State()
            login.logIn(user)
            return goToPage(.home)
        }
        guard try await checks.factors(for: pending) != nil else { return leave(.secondFactorExpired) }
        state.failures = state.failures.addingSaturated(1)
        guard state.failures >= Self.maximumFailures else { return render(Self.message, .wrongSecondFactor) }
        leave(.tooManySecondFactors)
    }

    private func leave(_ reason: Message) {
        state = State()
        login.abandon()
        showAlert(reason)
        goToPage(.login)
    }
}

extension Field where Content == String {
    static var passkeyResponse: Field<String> {
        Field(
            "passkey",
            isSecret: true,
            maximumLength: 32_768,
            description: "What PublicKeyCredential.toJSON() returns, as JSON."
        )
    }
}

extension Output where Content == Value {
    /// Null if there can be no passkey.
    static var passkeyRequest: Output<Value> {
        Output(
            "passkeyRequest",
            description:
                "What PublicKeyCredential.parseRequestOptionsFromJSON() reads; null if there can be no passkeys."
        )
    }
}

extension Message {
    /// The code or the passkey is wrong, or was used before.
    public static let wrongSecondFactor = Message(
        code: "secondFactor.wrong",
        text: "This was not accepted. Try again, or use another way",
        field: "code"
    )
    /// Too many codes and passkeys were wrong.
    public static let tooManySecondFactors = Message(
        code: "secondFactor.tooManyAttempts",
        text: "There were too many wrong codes. Log in again"
    )
    /// The login took too long, or its password was changed.
    public static let secondFactorExpired = Message(
        code: "secondFactor.expired",
        text: "This login has expired. Log in again"
    )
}
