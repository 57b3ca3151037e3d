import Testing
import TestSupport
import UnderstudyTesting

@testable import BundledControllers

@Suite struct FactorsBusinessLogicControllerTests {
    private let progress = Shared(LoginProgress())
    private let clock = ManualClock()
    private let session = StubIdentity(ClientContext())
    private let login = ResponseRecorder(page: "login")
    private let recorder = ResponseRecorder(page: "factors")
    private let factors = FactorsSpy()

    private static let changes: [(Event, Value.Object)] = [
        ("createPasskeyButtonPressed", [:]), ("passkeyCreated", ["passkey": "{}"]), ("createAppButtonPressed", [:]),
        ("confirmAppButtonPressed", ["code": "123456"]), ("removePasskeyButtonPressed", ["passkeyID": "a"]),
        ("removeAppButtonPressed", [:]), ("createRecoveryCodesButtonPressed", [:]),
    ]
    private static let list: [Command] = [
        .render("passkeys", []), .render("authenticatorApp", nil), .render("recoveryCodesLeft", 10),
    ]
    private static let codes = Command.render("recoveryCodes", ["s3cr3t-code"])

    init() {
        recorder.eventable = controller(factors)
    }

    private func controller(_ factors: FactorsSpy) -> FactorsBusinessLogicController {
        FactorsBusinessLogicController(factors: factors, login: steps)
    }

    private var steps: LoginSteps { LoginSteps(progress: progress, clock: clock, identity: session) }

    /// Logs lisa in with her passkey.
    private func logIn() async throws {
        login.eventable = TwoFactorLoginBusinessLogicController(
            credentials: FixedCredentials(),
            factors: FactorsSpy(),
            login: steps
        )
        try await login.dispatchEvent("passkeyRequested")
        login.setValue("challenge 1", for: "passkey")
        try await login.dispatchEvent("passkeyChosen")
        try #require(session.user == FactorsSpy.lisa)
    }

    private func send(_ event: Event, _ values: Value.Object = [:]) async throws {
        for (name, value) in values { recorder.setValue(value, for: name) }
        try await recorder.dispatchEvent(event)
    }

    // MARK: Who may change what

    @Test(arguments: [("viewDidLoad", [:])] + changes)
    func `without a user, every event leads to the login and changes nothing`(event: Event, values: Value.Object)
        async throws
    {
        try await send(event, values)
        #expect(recorder.commands == [.goToPage("login")])
        #expect(factors.calls == [])
    }

    @Test(arguments: changes) func `five minutes after the login, every change needs another one`(
        event: Event,
        values: Value.Object
    ) async throws {
        try await logIn()
        clock.advance(by: .seconds(300))
        try await send(event, values)
        #expect(recorder.commands == [.showAlert(.loginTooOld), .goToPage("login")])
        #expect(factors.calls == [])
    }

    @Test(arguments: changes) func `a login that another user has begun is not fresh`(
        event: Event,
        values: Value.Object
    ) async throws {
        try await logIn()
        progress.value = LoginProgress()
        try await send(event, values)
        #expect(recorder.commands == [.showAlert(.loginTooOld), .goToPage("login")])
        #expect(factors.calls == [])
    }

    @Test func `the page says whether the login is fresh, also if the clock was ahead`() async throws {
        try await logIn()
        try await send("viewDidLoad")
        #expect(recorder.rendered["username"] == "lisa@rules.example")
        #expect(recorder.rendered["loginIsFresh"] == true)
        clock.advance(by: .seconds(-1))
        try await send("viewDidLoad")
        #expect(recorder.rendered["loginIsFresh"] == false)
    }

    @Test func `a user without an account has no factors`() async throws {
        session.user = User(username: "batman")
        try await send("viewDidLoad")
        #expect(recorder.commands == [.showAlert(.noAccount)])
    }

    // MARK: Passkeys

    @Test func `a passkey is created with the challenge of the session, once`() async throws {
        try await logIn()
        try await send("createPasskeyButtonPressed")
        try await send("passkeyCreated", ["passkey": "challenge 1", "passkeyName": "Phone"])
        try await send("passkeyCreated", ["passkey": "challenge 1"])
        #expect(
            recorder.commands == [.render("passkeyCreation", ["challenge": "challenge 1"])] + Self.list
                + [Self.codes, .render("passkeyMessage", .wrongPasskey)]
        )
        #expect(factors.calls == ["add passkey 'Phone'"])
    }

    @Test func `a rejected passkey can be created again, which removes the message`() async throws {
        try await logIn()
        try await send("createPasskeyButtonPressed")
        try await send("passkeyCreated", ["passkey": "other"])
        #expect(recorder.commands.last == .render("passkeyMessage", .wrongPasskey))
        try await send("createPasskeyButtonPressed")
        #expect(recorder.rendered["passkeyMessage"] == .null)
    }

    @Test func `where there can be no passkeys, the page says so`() async throws {
        recorder.eventable = controller(FactorsSpy(hasPasskeys: false))
        try await logIn()
        try await send("createPasskeyButtonPressed")
        #expect(recorder.commands == [.render("passkeyMessage", .noPasskeys)])
    }

    @Test func `a passkey is removed, and an unknown one is not`() async throws {
        let factors = FactorsSpy(codesLeft: 3)
        recorder.eventable = controller(factors)
        try await logIn()
        try await send("removePasskeyButtonPressed", ["passkeyID": "b"])
        #expect(recorder.commands == [.render("passkeyMessage", .unknownPasskey)])
        try await send("removePasskeyButtonPressed", ["passkeyID": "a", "endSessions": true])
        #expect(recorder.rendered["passkeyMessage"] == .null)
        #expect(recorder.rendered["recoveryCodesLeft"] == 3)
        #expect(factors.calls == ["remove passkey", "remove passkey", "end other sessions"])
    }

    // MARK: Authenticator apps

    @Test func `an app is added by its code, which hides its secret`() async throws {
        try await logIn()
        try await send("createAppButtonPressed")
        try await send("confirmAppButtonPressed", ["code": "000000"])
        try await send("confirmAppButtonPressed", ["code": "123456"])
        #expect(
            recorder.commands == [
                .render("appSecret", "S3CR 3T"), .render("appAddress", "otpauth:s3cr3t"),
                .render("appQRCode", "data:s3cr3t"), .render("appMessage", .wrongAppCode), .render("appMessage", nil),
                .render("appSecret", nil), .render("appAddress", nil), .render("appQRCode", nil),
            ] + Self.list + [Self.codes]
        )
        try await send("confirmAppButtonPressed", ["code": "123456"])
        #expect(recorder.commands.last == .render("appMessage", .wrongAppCode))
        #expect(factors.calls == ["add app", "add app"])
    }

    @Test func `the secret of an app is for five minutes, and for the user who has asked for it`() async throws {
        try await logIn()
        clock.advance(by: .seconds(299))
        try await send("createAppButtonPressed")
        clock.advance(by: .seconds(300))
        progress.value.latest = nil
        try await send("confirmAppButtonPressed", ["code": "123456"])
        #expect(recorder.commands.suffix(2) == [.showAlert(.loginTooOld), .goToPage("login")])
        #expect(factors.calls == [])
    }

    @Test func `secrets that the user has left behind are hidden after five minutes`() async throws {
        let controller = controller(factors)
        recorder.eventable = controller
        try await logIn()
        #expect(controller.state.secretsEnd == nil)
        try await send("createAppButtonPressed")
        clock.advance(by: .seconds(1))
        try await send("createRecoveryCodesButtonPressed")
        #expect(controller.state.secretsEnd == clock.now + .seconds(300))
        // The only update, after all events.
        _ = try await controller.handleEvent(at: FactorsBusinessLogicController.events.declarations.count)
        #expect(controller.state.secretsEnd == nil)
        for key in ["appSecret", "appAddress", "appQRCode"] { #expect(recorder.rendered[key] == .null) }
        #expect(recorder.rendered["recoveryCodes"] == [])
    }

    @Test func `an app that another session has removed is not shown any more`() async throws {
        try await logIn()
        try await send("removeAppButtonPressed", ["endSessions": true])
        #expect(recorder.rendered["authenticatorApp"] == .null)
        #expect(recorder.rendered["loginIsFresh"] == true)
    }

    // MARK: Recovery codes

    @Test func `new recovery codes are shown until the user has kept them`() async throws {
        try await logIn()
        try await send("createRecoveryCodesButtonPressed")
        #expect(recorder.commands == Self.list + [Self.codes])
        try await send("recoveryCodesKeptButtonPressed")
        #expect(recorder.rendered["recoveryCodes"] == [])
    }

    @Test func `without another factor, there are no recovery codes, and shown ones disappear with it`() async throws {
        recorder.eventable = controller(FactorsSpy(codesLeft: 0))
        try await logIn()
        try await send("createRecoveryCodesButtonPressed")
        #expect(recorder.commands == [.showAlert(.noFactor)])
        try await send("removeAppButtonPressed")
        #expect(recorder.rendered["recoveryCodes"] == [])
    }
}
