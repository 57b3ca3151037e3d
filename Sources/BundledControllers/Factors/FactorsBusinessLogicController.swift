public import BusinessLogic

/// The logic of the page on which users see, add and remove their passkeys, their authenticator app and their recovery codes.
///
/// Each change needs a login in the last five minutes, so that a stolen session cannot add a way to log in (OWASP ASVS 5.0 section 7.5). The
/// first factor brings ten recovery codes.
public final class FactorsBusinessLogicController: BusinessLogicController {
    /// What the authenticator has created.
    public static let passkey = Field<String>.passkeyResponse
    /// The name of the new passkey.
    public static let passkeyName = Field<String>(
        "passkeyName",
        maximumLength: 64,
        description: "A name for the passkey, such as that of the device."
    ).whenAbsent("")
    /// The code of the new app.
    public static let code = Field<String>(
        "code",
        isSecret: true,
        maximumLength: 32,
        description: "The code that the new authenticator app shows."
    )
    /// The passkey to remove.
    public static let passkeyID = Field.id("passkeyID", of: "a passkey")
    /// Whether the change ends other sessions.
    public static let endSessions = Field<Bool>(
        "endSessions",
        description: "Whether to end all other sessions of the account."
    ).whenAbsent(false)

    /// The name with which the user logs in.
    public static let username = Output<String>("username", description: "The name with which the user logs in.")
    /// Whether the user has logged in during the last five minutes, so that factors can be changed.
    public static let loginIsFresh = Output<Bool>(
        "loginIsFresh",
        description: "Whether the user has logged in during the last five minutes, so that factors can be changed."
    )
    /// The passkeys, the oldest first.
    public static let passkeys = Output<[AccountPasskeyDetails]>(
        "passkeys",
        description: "The passkeys of the account, the oldest first."
    )
    /// The authenticator app; null without one.
    public static let authenticatorApp = Output<AuthenticatorAppDetails?>(
        "authenticatorApp",
        description: "The authenticator app of the account; null without one."
    )
    /// The number of recovery codes that were not used.
    public static let recoveryCodesLeft = Output<Int>(
        "recoveryCodesLeft",
        description: "The number of recovery codes that were not used."
    )
    /// The options with which the client creates a passkey.
    public static let passkeyCreation = Output<Value>(
        "passkeyCreation",
        description: "What PublicKeyCredential.parseCreationOptionsFromJSON() reads."
    )
    /// The secret of the new app as text; null after it was confirmed.
    public static let appSecret = Output<String?>(
        "appSecret",
        isSecret: true,
        description:
            "The secret of the new authenticator app, to type it, for five minutes; null if there is no new one."
    )
    /// The address that opens the app; null after it was confirmed.
    public static let appAddress = Output<String?>(
        "appAddress",
        isSecret: true,
        description: "The address that opens the new authenticator app on the same device (otpauth:), or null."
    )
    /// The QR code with the secret; null after it was confirmed.
    public static let appQRCode = Output<String?>(
        "appQRCode",
        isSecret: true,
        description: "The same address as a QR code: the address of an SVG picture (data:), or null."
    )
    /// The recovery codes, until the user has kept them, for five minutes.
    public static let recoveryCodes = Output<[String]>(
        "recoveryCodes",
        isSecret: true,
        description: "The new recovery codes, for five minutes; empty if there are none."
    )
    /// Why no passkey is added or removed; null if it is.
    public static let passkeyMessage = Output.rejection("passkeyMessage", "no passkey is added or removed")
    /// Why no app is added; null if it is.
    public static let appMessage = Output.rejection("appMessage", "no authenticator app is added")

    private static let list: [CommandDeclaration] = [
        .renders(passkeys), .renders(authenticatorApp), .renders(recoveryCodesLeft),
    ]
    private static let rejections: [CommandDeclaration] = [.alerts(.loginTooOld, .noAccount), .goes(to: .login)]
    private static let additionRejections = rejections + [.alerts(.unconfirmedAddress)]

    public static let events: EventTable<FactorsBusinessLogicController> = [
        .default(
            "viewDidLoad",
            gives: list + [.renders(username), .renders(loginIsFresh), .alerts(.noAccount), .goes(to: .login)]
        ) { try await $0.show() }.safe(),
        .event(
            "createPasskeyButtonPressed",
            gives: [.renders(passkeyCreation), .renders(passkeyMessage, .noPasskeys)] + additionRejections
        ) { try await $0.createPasskey() },
        .event(
            "passkeyCreated",
            reads: passkey,
            passkeyName,
            endSessions,
            gives: list + [.renders(recoveryCodes), .renders(passkeyMessage, .wrongPasskey)] + additionRejections,
            examples: [["passkey": "{}", "passkeyName": "My phone", "endSessions": false]]
        ) { try await $0.addPasskey($1, named: $2, endsSessions: $3) },
        .event(
            "createAppButtonPressed",
            gives: [.renders(appSecret), .renders(appAddress), .renders(appQRCode), .renders(appMessage)]
                + additionRejections
        ) { try await $0.createApp() },
        .event(
            "confirmAppButtonPressed",
            reads: code,
            endSessions,
            gives: list + [
                .renders(recoveryCodes), .renders(appSecret), .renders(appAddress), .renders(appQRCode),
                .renders(appMessage, .wrongAppCode),
            ] + additionRejections,
            examples: [["code": "123456", "endSessions": false]]
        ) { try await $0.addApp(code: $1, endsSessions: $2) },
        .event(
            "removePasskeyButtonPressed",
            reads: passkeyID,
            endSessions,
            gives: list + [.renders(recoveryCodes), .renders(passkeyMessage, .unknownPasskey)] + rejections,
            examples: [["passkeyID": "00112233445566778899aabbccddeeff", "endSessions": false]]
        ) { try await $0.removePasskey($1, endsSessions: $2) },
        .event(
            "removeAppButtonPressed",
            reads: endSessions,
            gives: list + [.renders(username), .renders(loginIsFresh), .renders(recoveryCodes)] + rejections,
            examples: [["endSessions": true]]
        ) { try await $0.removeApp(endsSessions: $1) },
        .event(
            "createRecoveryCodesButtonPressed",
            gives: list + [.renders(recoveryCodes), .alerts(.noFactor)] + rejections
        ) { try await $0.createRecoveryCodes() },
        .event("recoveryCodesKeptButtonPressed", gives: [.renders(recoveryCodes)]) { $0.render(recoveryCodes, []) },
        .wake(
            "secretsExpired",
            at: { $0.state.secretsEnd },
            gives: [.renders(appSecret), .renders(appAddress), .renders(appQRCode), .renders(recoveryCodes)]
        ) { $0.hideSecrets() },
    ]

    /// What the page remembers.
    public struct State: Codable, Equatable, Sendable, ShownMessages {
        package var shownMessages: [String] = []
        /// When the page hides the secrets that it shows; `nil` if it shows none.
        var secretsEnd: Timestamp?
    }

    public weak var controllable: (any Controllable)?
    public var state = State()
    private let manager: any FactorManaging
    private let login: LoginSteps

    /// Creates the logic of the page.
    ///
    /// - Parameters:
    ///   - factors: adds and removes factors.
    ///   - login: the challenge and the secret that the session waits for, and its last login.
    public init(factors: any FactorManaging, login: LoginSteps) {
        manager = factors
        self.login = login
    }

    // Two keys and a time at most.
    public var stateMemorySize: Int? { 256 }

    private func show() async throws {
        guard let factors = try await currentFactors() else { return }
        render(Self.username, login.user?.username ?? "")
        render(Self.loginIsFresh, login.isFresh)
        show(factors)
    }

    private func show(_ factors: AccountFactors) {
        render(Self.passkeys, factors.passkeys)
        render(Self.authenticatorApp, factors.authenticatorApp)
        render(Self.recoveryCodesLeft, factors.recoveryCodes)
    }

    // MARK: Passkeys

    private func createPasskey() async throws {
        guard try await canAdd() else { return }
        guard let options = try await manager.passkeyCreation(for: login.client) else {
            return show(.noPasskeys, in: Self.passkeyMessage)
        }
        show(nil, in: Self.passkeyMessage)
        login.keep(challengeOf: options, for: .registration)
        render(Self.passkeyCreation, options)
    }

    private func addPasskey(_ passkey: String, named name: String, endsSessions: Bool) async throws {
        let challenge = login.takeChallenge(for: .registration)
        guard try await canAdd() else { return }
        guard let challenge,
            let change = try await manager.perform(
                .addPasskey(response: passkey, name: name, challenge: challenge),
                for: login.client
            )
        else { return show(.wrongPasskey, in: Self.passkeyMessage) }
        show(nil, in: Self.passkeyMessage)
        try await show(change, endsSessions)
    }

    private func removePasskey(_ id: String, endsSessions: Bool) async throws {
        guard try await canChange() else { return }
        guard let change = try await manager.perform(.removePasskey(id: id), for: login.client) else {
            return show(.unknownPasskey, in: Self.passkeyMessage)
        }
        show(nil, in: Self.passkeyMessage)
        try await show(change, endsSessions)
    }

    // MARK: Authenticator apps

    private func createApp() async throws {
        guard try await canAdd() else { return }
        guard let app = try await manager.newAuthenticatorApp(for: login.client) else { return }
        show(nil, in: Self.appMessage)
        login.keep(secret: app.secret)
        show(app)
        state.secretsEnd = login.secretsEnd
    }

    private func addApp(code: String, endsSessions: Bool) async throws {
        guard try await canAdd() else { return }
        guard let secret = login.secret,
            let change = try await manager.perform(.addAuthenticatorApp(secret: secret, code: code), for: login.client)
        else { return show(.wrongAppCode, in: Self.appMessage) }
        show(nil, in: Self.appMessage)
        login.useSecret()
        show(nil as NewAuthenticatorApp?)
        try await show(change, endsSessions)
    }

    private func show(_ app: NewAuthenticatorApp?) {
        render(Self.appSecret, app?.text)
        render(Self.appAddress, app?.address)
        render(Self.appQRCode, app?.qrCode)
    }

    private func removeApp(endsSessions: Bool) async throws {
        guard try await canChange() else { return }
        // Another session has removed it.
        guard let change = try await manager.perform(.removeAuthenticatorApp, for: login.client) else {
            return try await show()
        }
        try await show(change, endsSessions)
    }

    // MARK: Recovery codes

    private func createRecoveryCodes() async throws {
        guard try await canChange() else { return }
        guard let change = try await manager.perform(.createRecoveryCodes, for: login.client) else {
            return showAlert(.noFactor)
        }
        try await show(change, false)
    }

    /// Shows what has changed, with the recovery codes if there are new ones.
    private func show(_ change: FactorChange, _ endsSessions: Bool) async throws {
        show(change.factors)
        // Those that the user has not kept yet stay.
        if !change.recoveryCodes.isEmpty || change.factors.recoveryCodes == 0 {
            render(Self.recoveryCodes, change.recoveryCodes)
            state.secretsEnd = login.secretsEnd
        }
        if endsSessions { try await manager.endOtherSessions(for: login.client) }
    }

    /// Hides what a thief of the session must not find, if the user has left the page without a click.
    private func hideSecrets() {
        state.secretsEnd = nil
        show(nil as NewAuthenticatorApp?)
        render(Self.recoveryCodes, [])
    }

    /// Otherwise, shows why.
    private func canAdd() async throws -> Bool {
        guard let factors = try await changeableFactors() else { return false }
        guard factors.needsConfirmation else { return true }
        showAlert(.unconfirmedAddress)
        return false
    }

    private func canChange() async throws -> Bool { try await changeableFactors() != nil }

    /// The factors of the client's account, if its user has just logged in. Otherwise, goes to the login.
    private func changeableFactors() async throws -> AccountFactors? {
        guard let factors = try await currentFactors() else { return nil }
        if login.isFresh { return factors }
        showAlert(.loginTooOld)
        goToPage(.login)
        return nil
    }

    /// The factors of the client's account. Without a user, goes to the login.
    private func currentFactors() async throws -> AccountFactors? {
        let factors = try await manager.factors(of: login.client)
        guard factors == nil else { return factors }
        if login.user == nil { goToPage(.login) } else { showAlert(.noAccount) }
        return nil
    }
}

extension Message {
    /// A change needs a login in the last five minutes.
    public static let loginTooOld = Message(code: "factors.loginTooOld", text: "Log in again to change how you log in")
    /// The address of the account must be confirmed before a factor is added.
    public static let unconfirmedAddress = Message(
        code: "factors.unconfirmedAddress",
        text: "Confirm your address on the page of your account first"
    )
    /// The server has no address to which passkeys could be bound.
    public static let noPasskeys = Message(
        code: "factors.noPasskeys",
        text: "There can be no passkeys at this address",
        field: "passkey"
    )
    /// The passkey is not valid, or exists already.
    public static let wrongPasskey = Message(
        code: "factors.wrongPasskey",
        text: "This passkey was not accepted",
        field: "passkey"
    )
    /// The code is not that of the new app.
    public static let wrongAppCode = Message(
        code: "factors.wrongCode",
        text: "This is not the current code of the app",
        field: "code"
    )
    /// The account has no such passkey.
    public static let unknownPasskey = Message(
        code: "factors.unknownPasskey",
        text: "Your account does not have this passkey any more",
        field: "passkeyID"
    )
    /// Without another factor, there are no recovery codes.
    public static let noFactor = Message(code: "factors.none", text: "Add a passkey or an authenticator app first")
}
