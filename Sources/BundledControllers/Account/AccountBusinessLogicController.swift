public import BusinessLogic

/// The logic of the page on which users see and change their account: the address, the password, sessions and devices, and its end.
///
/// What an attacker with a stolen session could use to take the account needs the password again (OWASP ASVS 5.0 section 7.5).
public final class AccountBusinessLogicController: BusinessLogicController {
    /// The user's current password.
    public static let password = Field<String>("password", isSecret: true, description: "The current password.")
    /// The new password.
    public static let newPassword = Field<String>("newPassword", isSecret: true, description: "The new password.")
    /// The new address.
    public static let newEmail = Field<String>("newEmail", maximumLength: 254, description: "The new email address.")
    /// The device to end.
    public static let device = Field<String>(
        "device",
        maximumLength: 64,
        description: "The ID of a device in the list."
    )

    /// The name with which the user logs in.
    public static let username = Output<String>("username", description: "The name with which the user logs in.")
    /// The email address of the account.
    public static let email = Output<String>("email", description: "The email address of the account.")
    /// Whether the user has confirmed the address.
    public static let emailConfirmed = Output<Bool>(
        "emailConfirmed",
        description: "Whether the user has confirmed the address."
    )
    /// The devices on which the user has logged in.
    public static let devices = Output<[AccountDevice]>(
        "devices",
        description: "The devices on which the user has logged in."
    )
    /// Everything that the account contains.
    public static let export = Output<AccountDetails>("export", description: "Everything that the account contains.")
    /// Why a change is rejected; null after one that is accepted.
    public static let message = Output<Message?>(
        "message",
        description: "Why a change is rejected; null after one that is accepted."
    )
    /// Why the new password is rejected; null if it is accepted.
    public static let newPasswordMessage = Output<Message?>(
        "newPasswordMessage",
        description: "Why the new password is rejected; null if it is accepted."
    )

    public static let events: EventTable<AccountBusinessLogicController> = [
        .default(
            "viewDidLoad",
            gives: [
                .renders(username), .renders(email), .renders(emailConfirmed), .renders(devices), .goes(to: .login),
            ]
        ) { try await $0.show() }.safe(),
        .event(
            "changeEmailButtonPressed",
            reads: newEmail,
            password,
            gives: [
                .renders(message, .invalidNewEmail, .wrongAccountPassword), .alerts(.tooManyVerificationCodes),
                .goes(to: .verify), .goes(to: .login),
            ],
            examples: [
                ["newEmail": "lisa@rules.example", "password": "bruce"],
                ["newEmail": "lisa@rules", "password": "bruce"],
            ]
        ) { try await $0.changeEmail(to: $1, password: $2) },
        .event(
            "changePasswordButtonPressed",
            reads: password,
            newPassword,
            gives: [
                .renders(message, .wrongAccountPassword), .rendersAnyMessage(in: newPasswordMessage),
                .alerts(.accountPasswordChanged), .goes(to: .login),
            ],
            examples: [["password": "bruce", "newPassword": "a new long password"]]
        ) { try await $0.changePassword($1, to: $2) },
        .event("verifyButtonPressed", gives: [.goes(to: .verify)]) { $0.goToPage(.verify) },
        .event(
            "endDeviceButtonPressed",
            reads: device,
            gives: [.renders(devices), .renders(message, .unknownDevice), .goes(to: .login)],
            examples: [["device": "00112233445566778899aabbccddeeff"]]
        ) { try await $0.endDevice($1) },
        .event("endSessionsButtonPressed", gives: [.alerts(.sessionsEnded), .goes(to: .login)]) {
            try await $0.endSessions()
        },
        .event("exportButtonPressed", gives: [.renders(export), .goes(to: .login)]) { try await $0.export() },
        .event(
            "deleteButtonPressed",
            reads: password,
            gives: [.renders(message, .wrongAccountPassword), .alerts(.accountDeleted), .goes(to: .login)],
            examples: [["password": "bruce"]]
        ) { try await $0.delete(password: $1) },
    ]

    /// What the page remembers.
    public struct State: Codable, Equatable, Sendable {
        /// Whether the screen shows why a change was rejected.
        var showsMessage = false
        /// Whether the screen shows why a new password was rejected.
        var showsObjection = false

        init() {}
    }

    public weak var controllable: (any Controllable)?
    public var state = State()
    private let accounts: any AccountManaging
    private let credentials: any CredentialChecking
    private let passwordPolicy: any PasswordPolicy
    private let emailValidator: any EmailValidating
    private let request: CodeRequest
    private let identity: (any Identity)?

    /// Creates the logic of the page.
    ///
    /// - Parameters:
    ///   - accounts: reads and changes the accounts.
    ///   - credentials: checks the current password.
    ///   - code: the code that the session waits for.
    ///   - codes: sends the code to a new address.
    ///   - passwordPolicy: decides which new passwords are accepted.
    ///   - emailValidator: decides which addresses are valid.
    ///   - clock: returns the time, by which codes expire.
    ///   - identity: the client, and its user.
    public init(
        accounts: any AccountManaging,
        credentials: any CredentialChecking,
        code: Shared<PendingCode?>,
        codes: any CodeSending = NoCodes(),
        passwordPolicy: any PasswordPolicy = NonEmptyPasswordPolicy(),
        emailValidator: any EmailValidating = EmailValidator(),
        clock: any WallClock,
        identity: (any Identity)?
    ) {
        self.accounts = accounts
        self.credentials = credentials
        self.passwordPolicy = passwordPolicy
        self.emailValidator = emailValidator
        self.identity = identity
        request = CodeRequest(code, codes: codes, clock: clock, identity: identity)
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size }

    private var client: ClientContext { identity?.client ?? ClientContext() }

    private func show() async throws {
        guard let details = try await details() else { return }
        render(Self.username, details.username)
        render(Self.email, details.email)
        render(Self.emailConfirmed, details.emailConfirmed != nil)
        render(Self.devices, details.devices)
    }

    private func changeEmail(to email: String, password: String) async throws {
        guard try await details() != nil else { return }
        guard emailValidator.isValid(email: email) else { return show(.invalidNewEmail) }
        guard try await isRight(password) else { return }
        guard try await request.send(.change, to: email) else { return showAlert(.tooManyVerificationCodes) }
        clearMessage()
        goToPage(.verify)
    }

    private func changePassword(_ password: String, to newPassword: String) async throws {
        guard let details = try await details() else { return }
        let objection = passwordPolicy.objection(
            to: newPassword,
            name: details.name,
            email: details.email,
            userID: details.userID
        )
        if objection != nil || state.showsObjection { render(Self.newPasswordMessage, objection) }
        state.showsObjection = objection != nil
        if objection != nil { return }
        guard try await isRight(password) else { return }
        try await accounts.changePassword(to: newPassword, for: client)
        logOut(.accountPasswordChanged)
    }

    private func endDevice(_ id: String) async throws {
        guard try await details() != nil else { return }
        guard try await accounts.endDevice(id, for: client) else { return show(.unknownDevice) }
        clearMessage()
        if let details = try await details() { render(Self.devices, details.devices) }
    }

    private func endSessions() async throws {
        guard try await details() != nil else { return }
        try await accounts.endSessions(for: client)
        logOut(.sessionsEnded)
    }

    private func export() async throws {
        if let details = try await details() { render(Self.export, details) }
    }

    private func delete(password: String) async throws {
        guard try await details() != nil, try await isRight(password) else { return }
        try await accounts.deleteAccount(for: client)
        logOut(.accountDeleted)
    }

    /// The client's account. Without one, goes to the login.
    private func details() async throws -> AccountDetails? {
        let details = try await accounts.details(of: client)
        if details == nil { goToPage(.login) }
        return details
    }

    /// Whether the password is that of the client's user. If not, shows it.
    private func isRight(_ password: String) async throws -> Bool {
        guard let user = identity?.user else { return false }
        let found = try await credentials.authenticate(username: user.username, password: password, for: client)
        if found?.id == user.id, found != nil { return true }
        show(.wrongAccountPassword)
        return false
    }

    private func show(_ message: Message) {
        state.showsMessage = true
        render(Self.message, message)
    }

    private func clearMessage() {
        if state.showsMessage { render(Self.message, nil) }
        state.showsMessage = false
    }

    private func logOut(_ reason: Message) {
        identity?.user = nil
        showAlert(reason)
        goToPage(.login)
    }
}

extension Message {
    /// The new address is not one.
    public static let invalidNewEmail = Message(
        code: "account.invalidEmail",
        text: "This is not an email address",
        field: "newEmail"
    )
    /// The current password is another one.
    public static let wrongAccountPassword = Message(
        code: "account.wrongPassword",
        text: "This is not your password",
        field: "password"
    )
    /// The account has no such device.
    public static let unknownDevice = Message(
        code: "account.unknownDevice",
        text: "Your account does not have this device any more",
        field: "device"
    )
    /// The password was changed.
    public static let accountPasswordChanged = Message.notice(
        code: "account.passwordChanged",
        text: "Your password was changed. Log in with it"
    )
    /// All sessions have ended.
    public static let sessionsEnded = Message.notice(
        code: "account.sessionsEnded",
        text: "You are logged out on all devices"
    )
    /// The account was deleted.
    public static let accountDeleted = Message.notice(
        code: "account.deleted",
        text: "Your account was deleted"
    )
}
