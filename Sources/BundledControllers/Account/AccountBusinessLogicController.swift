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
    /// The session to end.
    public static let session = Field.id("session", of: "a session")
    /// The device to end.
    public static let device = Field.id("device", of: "a device or an agent")
    /// The name of a new agent.
    public static let agentName = Field<String>(
        "agentName",
        minimumLength: 1,
        maximumLength: 64,
        description: "The name by which the user recognises the agent."
    )
    /// For how long a new agent's token works.
    public static let agentDays = Field<Int>(
        "agentDays",
        in: 1...30,
        description: "The number of days for which the agent's token works."
    ).whenAbsent(30)
    /// Whether a new agent may send all events.
    public static let agentMayChange = Field<Bool>(
        "agentMayChange",
        description: "Whether the agent may also change things; otherwise, it can only look."
    ).whenAbsent(false)

    /// The name with which the user logs in.
    public static let username = Output<String>("username", description: "The name with which the user logs in.")
    /// The email address of the account.
    public static let email = Output<String>("email", description: "The email address of the account.")
    /// Whether the user has confirmed the address.
    public static let emailConfirmed = Output<Bool>(
        "emailConfirmed",
        description: "Whether the user has confirmed the address."
    )
    /// The latest sessions in which the user is logged in.
    public static let sessions = Output<[AccountSession]>(
        "sessions",
        description: "The latest 50 sessions in which the user is logged in, the one that was used last first."
    )
    /// The number of all sessions in which the user is logged in.
    public static let sessionCount = Output<Int>(
        "sessionCount",
        description: "The number of all sessions in which the user is logged in."
    )
    /// The devices on which the user has logged in.
    public static let devices = Output<[AccountDevice]>(
        "devices",
        description: "The devices on which the user has logged in."
    )
    /// The agents that use the service as the user.
    public static let agents = Output<[AccountAgent]>(
        "agents",
        description: "The agents that use the service as the user."
    )
    /// The token of the agent that was added last, until the page has been loaded twice.
    public static let agentToken = Output<String?>(
        "agentToken",
        isSecret: true,
        description: "The token of a new agent, until the page has been loaded twice."
    )
    /// Everything that the account contains.
    public static let export = Output<AccountDetails>("export", description: "Everything that the account contains.")
    /// Why the address is not changed; null if it is.
    public static let newEmailMessage = Output.rejection("newEmailMessage", "the address is not changed")
    /// Why the password is not changed; null if it is.
    public static let newPasswordMessage = Output.rejection("newPasswordMessage", "the password is not changed")
    /// Why a session is not ended; null if it is.
    public static let sessionMessage = Output.rejection("sessionMessage", "a session is not ended")
    /// Why a device is not ended; null if it is.
    public static let deviceMessage = Output.rejection("deviceMessage", "a device is not ended")
    /// Why an agent is not added; null if it is.
    public static let agentMessage = Output.rejection("agentMessage", "an agent is not added")
    /// Why the account is not deleted; null if it is.
    public static let deletionMessage = Output.rejection("deletionMessage", "the account is not deleted")

    private static let rejections: [CommandDeclaration] = [.alerts(.noAccount), .goes(to: .login)]

    public static let events: EventTable<AccountBusinessLogicController> = [
        .default(
            "viewDidLoad",
            gives: [
                .renders(username), .renders(email), .renders(emailConfirmed), .renders(sessions),
                .renders(sessionCount), .renders(devices), .renders(agents), .renders(agentToken), .alerts(.noAccount),
                .goes(to: .login),
            ]
        ) { try await $0.show() }.safe(),
        .event(
            "changeEmailButtonPressed",
            reads: newEmail,
            password,
            gives: [
                .renders(newEmailMessage, .invalidNewEmail, .wrongAccountPassword),
                .alerts(.tooManyVerificationCodes, .noAccount), .goes(to: .verify), .goes(to: .login),
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
                .renders(newPasswordMessage, .wrongAccountPassword), .rendersAnyMessage(in: newPasswordMessage),
                .alerts(.accountPasswordChanged, .noAccount), .goes(to: .login),
            ],
            examples: [["password": "bruce", "newPassword": "a new long password"]]
        ) { try await $0.changePassword($1, to: $2) },
        .event(
            "verifyButtonPressed",
            gives: [.alerts(.tooManyVerificationCodes, .noAccount), .goes(to: .verify), .goes(to: .login)]
        ) { try await $0.verify() },
        .event(
            "endSessionButtonPressed",
            reads: session,
            gives: [.renders(sessions), .renders(sessionCount), .renders(sessionMessage, .unknownSession, .ownSession)]
                + rejections,
            examples: [["session": "00112233445566778899aabbccddeeff"]]
        ) { try await $0.endSession($1) },
        .event(
            "endDeviceButtonPressed",
            reads: device,
            gives: [.renders(devices), .renders(agents), .renders(deviceMessage, .unknownDevice)] + rejections,
            examples: [["device": "00112233445566778899aabbccddeeff"]]
        ) { try await $0.endDevice($1) },
        .event(
            "addAgentButtonPressed",
            reads: agentName,
            agentDays,
            agentMayChange,
            password,
            gives: [.renders(agents), .renders(agentToken), .renders(agentMessage, .wrongAccountPassword)] + rejections,
            examples: [["agentName": "Assistant", "agentDays": 7, "agentMayChange": false, "password": "bruce"]]
        ) { try await $0.addAgent(AgentGrant(name: $1, mayChange: $3), days: $2, password: $4) },
        .event("endSessionsButtonPressed", gives: [.alerts(.sessionsEnded, .noAccount), .goes(to: .login)]) {
            try await $0.endSessions()
        },
        .event("exportButtonPressed", gives: [.renders(export), .alerts(.noAccount), .goes(to: .login)]) {
            try await $0.export()
        },
        .event(
            "deleteButtonPressed",
            reads: password,
            gives: [.renders(deletionMessage, .wrongAccountPassword), .alerts(.accountDeleted)] + rejections,
            examples: [["password": "bruce"]]
        ) { try await $0.delete(password: $1) },
    ]

    /// What the page remembers.
    public struct State: Codable, Equatable, Sendable, ShownMessages {
        package var shownMessages: [String] = []
        /// Whether an agent was added since the page was loaded. A page without JavaScript is loaded once after each event.
        var hasNewAgent = false
    }

    public weak var controllable: (any Controllable)?
    public var state = State()
    private let accounts: any AccountManaging
    private let credentials: any CredentialChecking
    private let passwordPolicy: any PasswordPolicy
    private let request: CodeRequest
    private let identity: (any Identity)?

    /// Creates the logic of the page.
    ///
    /// - Parameters:
    ///   - accounts: reads and changes the accounts.
    ///   - credentials: checks the current password.
    ///   - request: sends the code to a new address.
    ///   - passwordPolicy: decides which new passwords are accepted.
    ///   - identity: the client, and its user.
    public init(
        accounts: any AccountManaging,
        credentials: any CredentialChecking,
        request: CodeRequest,
        passwordPolicy: any PasswordPolicy = NonEmptyPasswordPolicy(),
        identity: (any Identity)?
    ) {
        self.accounts = accounts
        self.credentials = credentials
        self.passwordPolicy = passwordPolicy
        self.identity = identity
        self.request = request
    }

    // Five keys at most.
    public var stateMemorySize: Int? { 512 }

    private var client: ClientContext { identity?.client ?? ClientContext() }

    private func show() async throws {
        guard let details = try await details() else { return }
        render(Self.username, details.username)
        render(Self.email, details.email)
        render(Self.emailConfirmed, details.emailConfirmed != nil)
        show(try await accounts.sessions(of: client))
        render(Self.devices, details.devices)
        render(Self.agents, details.agents)
        if !state.hasNewAgent { render(Self.agentToken, nil) }
        state.hasNewAgent = false
    }

    private func changeEmail(to email: String, password: String) async throws {
        guard try await details() != nil else { return }
        guard EmailValidator().isValid(email: email) else { return show(.invalidNewEmail, in: Self.newEmailMessage) }
        guard try await isRight(password) else { return show(.wrongAccountPassword, in: Self.newEmailMessage) }
        show(nil, in: Self.newEmailMessage)
        guard try await request.send(.change, to: email) else { return showAlert(.tooManyVerificationCodes) }
        goToPage(.verify)
    }

    private func verify() async throws {
        guard let details = try await details() else { return }
        // Another code would end one that is on its way: that of a change, or the last one for this address.
        let isSent = request.pending.map {
            $0.purpose == .change || $0.purpose == .confirm && $0.email == details.email
        }
        if isSent != true, try await !request.send(.confirm, to: details.email) {
            return showAlert(.tooManyVerificationCodes)
        }
        goToPage(.verify)
    }

    private func changePassword(_ password: String, to newPassword: String) async throws {
        guard let details = try await details() else { return }
        let objection = passwordPolicy.objection(
            to: newPassword,
            name: details.name,
            username: details.username,
            email: details.email,
            userID: details.userID
        )
        if let objection { return show(objection.about(Self.newPassword.name), in: Self.newPasswordMessage) }
        guard try await isRight(password) else { return show(.wrongAccountPassword, in: Self.newPasswordMessage) }
        show(nil, in: Self.newPasswordMessage)
        try await accounts.changePassword(to: newPassword, for: client)
        logOut(.accountPasswordChanged)
    }

    private func endSession(_ id: String) async throws {
        guard try await details() != nil else { return }
        let isEnded = try await accounts.endSession(id, for: client)
        var sessions = try await accounts.sessions(of: client)
        let isOwn = sessions.latest.contains { $0.id == id && $0.isCurrent }
        show(isEnded ? nil : isOwn ? .ownSession : .unknownSession, in: Self.sessionMessage)
        // The change can be stored after the event.
        if isEnded { sessions.remove(id) }
        show(sessions)
    }

    private func show(_ sessions: AccountSessions) {
        render(Self.sessions, sessions.latest)
        render(Self.sessionCount, sessions.count)
    }

    private func endDevice(_ id: String) async throws {
        guard try await details() != nil else { return }
        let isEnded = try await accounts.endDevice(id, for: client)
        show(isEnded ? nil : .unknownDevice, in: Self.deviceMessage)
        guard let details = try await details() else { return }
        // The change can be stored after the event.
        render(Self.devices, details.devices.filter { !isEnded || $0.id != id })
        render(Self.agents, details.agents.filter { !isEnded || $0.id != id })
    }

    private func addAgent(_ agent: AgentGrant, days: Int, password: String) async throws {
        guard try await details() != nil else { return }
        guard try await isRight(password) else { return show(.wrongAccountPassword, in: Self.agentMessage) }
        show(nil, in: Self.agentMessage)
        guard let added = try await accounts.addAgent(agent, days: days, for: client), let details = try await details()
        else { return }
        state.hasNewAgent = true
        // The change can be stored after the event.
        render(Self.agents, details.agents.filter { $0.id != added.agent.id } + [added.agent])
        render(Self.agentToken, added.token)
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
        guard try await details() != nil else { return }
        guard try await isRight(password) else { return show(.wrongAccountPassword, in: Self.deletionMessage) }
        show(nil, in: Self.deletionMessage)
        try await accounts.deleteAccount(for: client)
        logOut(.accountDeleted)
    }

    /// The client's account. Without a user, goes to the login.
    private func details() async throws -> AccountDetails? {
        let details = try await accounts.details(of: client)
        guard details == nil else { return details }
        if identity?.user == nil { goToPage(.login) } else { showAlert(.noAccount) }
        return nil
    }

    /// Whether the password is that of the client's user.
    private func isRight(_ password: String) async throws -> Bool {
        guard let user = identity?.user else { return false }
        let found = try await credentials.verify(username: user.username, password: password, for: client)
        return found != nil && found?.user.id == user.id
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
    /// The user is not one with an account, such as that of the demonstration.
    public static let noAccount = Message(code: "account.none", text: "There is no account to change for this user")
    /// The account has no such session.
    public static let unknownSession = Message(
        code: "account.unknownSession",
        text: "This session has ended",
        field: "session"
    )
    /// The session is the one in which the event is.
    public static let ownSession = Message(
        code: "account.ownSession",
        text: "You are using this session. Log out to end it",
        field: "session"
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
    public static let accountDeleted = Message.notice(code: "account.deleted", text: "Your account was deleted")
}
