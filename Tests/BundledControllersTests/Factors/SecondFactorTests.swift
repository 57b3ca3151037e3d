import Testing
import TestSupport
import UnderstudyTesting

/// A login with a second factor, on the pages `login` and `secondFactor`.
@Suite struct SecondFactorTests {
    /// The password bruce of lisa@rules.example needs a second factor, and that of batman does not.
    private struct Credentials: CredentialChecking {
        func verify(username: String, password: String, for client: ClientContext) async throws -> VerifiedUser? {
            if username == FactorsSpy.lisa.username, password == "bruce" {
                return VerifiedUser(FactorsSpy.lisa, proof: "right")
            }
            return try await FixedCredentials(["batman": "bruce"]).verify(
                username: username,
                password: password,
                for: client
            )
        }
    }

    private let progress = Shared(LoginProgress())
    private let factors = FactorsSpy()
    private let clock = ManualClock()
    private let session = StubIdentity(ClientContext())
    private let login = ResponseRecorder(page: "login")
    private let recorder = ResponseRecorder(page: "secondFactor")

    private let wrong = Command.render("message", .wrongSecondFactor)
    private let expired = [Command.showAlert(.secondFactorExpired), .goToPage("login")]

    init() {
        login.eventable = loginLogic(factors)
        recorder.eventable = SecondFactorBusinessLogicController(factors: factors, login: steps)
    }

    private func loginLogic(_ factors: any FactorManaging) -> TwoFactorLoginBusinessLogicController {
        TwoFactorLoginBusinessLogicController(credentials: Credentials(), factors: factors, login: steps)
    }

    private var steps: LoginSteps { LoginSteps(progress: progress, clock: clock, identity: session) }

    private func enterPassword(_ password: String = "bruce", of username: String = "lisa@rules.example") async throws {
        login.setValue(.string(username), for: "username")
        login.setValue(.string(password), for: "password")
        try await login.dispatchEvent("loginButtonPressed")
    }

    private func enter(_ code: String) async throws {
        recorder.setValue(.string(code), for: "code")
        try await recorder.dispatchEvent("verifyButtonPressed")
    }

    private func choose(_ passkey: String, on recorder: ResponseRecorder) async throws {
        recorder.setValue(.string(passkey), for: "passkey")
        try await recorder.dispatchEvent("passkeyChosen")
    }

    // MARK: After a password

    @Test func `a right password leads to the second factor, and logs in after it`() async throws {
        try await enterPassword()
        #expect(login.commands == [.goToPage("secondFactor")])
        #expect(session.user == nil)
        try await enter("123456")
        #expect(recorder.commands == [.goToPage("Home")])
        #expect(session.user == FactorsSpy.lisa)
    }

    @Test func `a wrong password leads nowhere`() async throws {
        try await enterPassword("robin")
        #expect(login.commands == [.render("message", .wrongCredentials)])
        try await enter("123456")
        #expect(recorder.commands == expired)
        #expect(factors.calls == [])
    }

    @Test func `the page shows with what the login can be completed`() async throws {
        try await enterPassword()
        try await recorder.dispatchEvent("viewDidLoad")
        recorder.expect([
            .render("factors", ["passkey": true, "authenticatorApp": true, "recoveryCodes": false])
        ])
    }

    @Test(
        arguments: [("viewDidLoad", [:]), ("passkeyRequested", [:]), ("passkeyChosen", ["passkey": "{}"])]
            as [(Event, Value.Object)]
    )
    func `without a password, every event leads to the login`(event: Event, values: Value.Object) async throws {
        for (name, value) in values { recorder.setValue(value, for: name) }
        try await recorder.dispatchEvent(event)
        #expect(recorder.commands == expired)
    }

    @Test func `after ten minutes, the password must be entered again`() async throws {
        try await enterPassword()
        clock.advance(by: .seconds(599))
        try await enter("000000")
        clock.advance(by: .seconds(1))
        try await enter("123456")
        #expect(recorder.commands == [wrong] + expired)
        #expect(session.user == nil)
    }

    @Test func `five wrong codes lead back to the login, and a right one comes too late`() async throws {
        try await enterPassword()
        for _ in 1...5 { try await enter("000000") }
        try await enter("123456")
        #expect(
            recorder.commands == [wrong, wrong, wrong, wrong, .showAlert(.tooManySecondFactors), .goToPage("login")]
                + expired
        )
        try await enterPassword()
        try await enter("000000")
        #expect(recorder.commands.last == wrong)
    }

    @Test func `an event that fails counts nothing, and the login still waits`() async throws {
        try await enterPassword()
        for _ in 1...9 { await #expect(throws: Outage.self) { try await enter("outage") } }
        try await enter("123456")
        #expect(recorder.commands == [.goToPage("Home")])
    }

    @Test func `a second password replaces the login of the first, and one without a second factor ends it`()
        async throws
    {
        try await enterPassword()
        try await enterPassword(of: "batman")
        #expect(session.user?.username == "batman")
        try await enter("123456")
        #expect(recorder.commands == expired)
    }

    @Test func `a login without second factors logs no one in who needs one`() async throws {
        login.eventable = LoginBusinessLogicController(credentials: Credentials(), clock: clock, identity: session)
        try await enterPassword()
        #expect(login.commands == [.render("message", .wrongCredentials)])
    }

    // MARK: Passkeys

    @Test func `a passkey completes the login, with the challenge of the session, once`() async throws {
        try await enterPassword()
        try await recorder.dispatchEvent("passkeyRequested")
        try await choose("challenge 9", on: recorder)
        try await choose("challenge 1", on: recorder)
        try await recorder.dispatchEvent("passkeyRequested")
        try await choose("challenge 2", on: recorder)
        recorder.expect([
            .render("passkeyRequest", ["challenge": "challenge 1"]), wrong, wrong,
            .render("passkeyRequest", ["challenge": "challenge 2"]), .goToPage("Home"),
        ])
        #expect(factors.calls == ["passkey of lisa@rules.example", "passkey of lisa@rules.example"])
    }

    @Test func `a login needs only a passkey, with the challenge of the session, once`() async throws {
        try await login.dispatchEvent("passkeyRequested")
        try await choose("challenge 2", on: login)
        try await choose("challenge 1", on: login)
        try await login.dispatchEvent("passkeyRequested")
        try await choose("challenge 2", on: login)
        login.expect([
            .render("passkeyRequest", ["challenge": "challenge 1"]), .render("message", .wrongLoginPasskey),
            .render("message", .wrongLoginPasskey), .render("passkeyRequest", ["challenge": "challenge 2"]),
            .goToPage("Home"),
        ])
        #expect(factors.calls == ["passkey of anyone", "passkey of anyone"])
        #expect(session.user == FactorsSpy.lisa)
    }

    @Test func `a challenge is for one page, and for ten minutes`() async throws {
        try await enterPassword()
        try await login.dispatchEvent("passkeyRequested")
        try await choose("challenge 1", on: recorder)
        try await recorder.dispatchEvent("passkeyRequested")
        try await choose("challenge 2", on: login)
        try await login.dispatchEvent("passkeyRequested")
        clock.advance(by: .seconds(600))
        try await choose("challenge 3", on: login)
        #expect(factors.calls == [])
        #expect(session.user == nil)
    }

    @Test func `five wrong passwords do not lock out a passkey, which resets their count`() async throws {
        for _ in 1...5 { try await enterPassword("robin") }
        try await login.dispatchEvent("passkeyRequested")
        try await choose("challenge 1", on: login)
        #expect(login.commands.last == .goToPage("Home"))
        try await enterPassword("robin")
        #expect(login.commands.last == .render("message", .wrongCredentials))
    }

    @Test func `where there can be no passkeys, the request is null`() async throws {
        login.eventable = loginLogic(NoAccounts())
        try await login.dispatchEvent("passkeyRequested")
        try await choose("{}", on: login)
        #expect(login.commands == [.render("passkeyRequest", .null), .render("message", .wrongLoginPasskey)])
    }
}
