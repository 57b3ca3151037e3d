@testable import BundledControllers
import Testing
import TestSupport
import UnderstudyTesting

/// The pages `forgot`, `reset` and `verify`, which share the code that their session waits for.
@Suite struct CodeControllersTests {
    private let clock = ManualClock()
    private let code = Shared<PendingCode?>(nil)
    private let owner = AccountOwnerSpy()
    private let session = StubIdentity()
    private let forgot = ResponseRecorder(page: "forgot")
    private let reset = ResponseRecorder(page: "reset")
    private let verify = ResponseRecorder(page: "verify")

    private let wrongReset = Command.render("message", .wrongResetCode)
    private let wrongVerification = Command.render("message", .wrongVerificationCode)

    init() {
        let request = CodeRequest(code: code, accounts: owner, clock: clock, identity: session)
        forgot.eventable = ForgotPasswordBusinessLogicController(request: request)
        reset.eventable = ResetPasswordBusinessLogicController(
            request: request,
            accounts: owner,
            passwordPolicy: PolicyStub()
        )
        verify.eventable = VerifyAddressBusinessLogicController(
            request: request,
            accounts: owner,
            login: LoginSteps(progress: Shared(LoginProgress()), clock: clock, identity: session)
        )
    }

    private func send(to email: String = "lisa@rules.example") async throws {
        forgot.setValue(.string(email), for: "email")
        try await forgot.dispatchEvent("sendCodeButtonPressed")
    }

    private func enter(_ code: String, password: String = "a new long password", times: Int = 1) async throws {
        reset.setValue(.string(code), for: "code")
        reset.setValue(.string(password), for: "password")
        for _ in 0..<times { try await reset.dispatchEvent("resetButtonPressed") }
    }

    private func confirm(_ code: String, times: Int = 1) async throws {
        verify.setValue(.string(code), for: "code")
        for _ in 0..<times { try await verify.dispatchEvent("verifyButtonPressed") }
    }

    // MARK: forgot

    @Test(arguments: ["lisa@rules.example", "stranger@rules.example"])
    func `any address gets the same commands`(email: String) async throws {
        try await send(to: email)
        #expect(forgot.commands == [.render("message", .resetCodeSent), .goToPage("reset")])
        #expect(owner.codes == ["reset \(email)"])
    }

    @Test func `a text that is not an address gets no code`() async throws {
        try await send(to: "lisa@rules")
        #expect(forgot.commands == [.render("message", .invalidEmail)])
        #expect(owner.codes == [])
        #expect(code.value == nil)
    }

    @Test func `if no code can be sent, the session waits for none`() async throws {
        await #expect(throws: Outage.self) { try await send(to: "chris@rules.example") }
        #expect(code.value == nil)
    }

    // MARK: reset

    @Test func `the right code changes the password, once`() async throws {
        try await send()
        try await enter("12345678", times: 2)
        #expect(reset.commands == [.showAlert(.passwordReset), .goToPage("login"), wrongReset])
        #expect(owner.changes == ["reset lisa@rules.example a new long password"])
    }

    @Test func `white space in a code is ignored`() async throws {
        try await send()
        try await enter(" 1234 5678\n")
        #expect(reset.commands == [.showAlert(.passwordReset), .goToPage("login")])
    }

    @Test func `a code is wrong in a session in which none was sent`() async throws {
        try await enter("12345678")
        #expect(reset.commands == [wrongReset])
        #expect(owner.codes == [])
    }

    @Test func `a code for another purpose is wrong`() async throws {
        try await send()
        try await confirm("12345678")
        #expect(verify.commands == [wrongVerification])
        #expect(owner.changes == [])
    }

    @Test func `a code is valid for ten minutes`() async throws {
        try await send()
        clock.advance(by: .seconds(599))
        try await enter("12345678")
        try await send()
        clock.advance(by: .seconds(600))
        try await enter("12345678")
        #expect(reset.commands == [.showAlert(.passwordReset), .goToPage("login"), wrongReset])
    }

    @Test func `the fifth wrong code ends it, also for the right one`() async throws {
        try await send()
        try await enter("00000000", times: 5)
        try await enter("12345678")
        let exhausted = Command.showAlert(.tooManyResetCodes)
        #expect(reset.commands == [wrongReset, wrongReset, wrongReset, wrongReset, exhausted, exhausted])
        #expect(owner.codes.filter { $0.hasPrefix("check") }.count == 5)
        #expect(owner.changes == [])
    }

    @Test func `another code gives no attempts back, also for another address`() async throws {
        try await send()
        try await enter("00000000", times: 3)
        try await send(to: "bart@rules.example")
        try await enter("00000000", times: 2)
        #expect(reset.commands.last == .showAlert(.tooManyResetCodes))
    }

    @Test func `after too many wrong codes, no code is sent for ten minutes`() async throws {
        try await send()
        try await enter("00000000", times: 5)
        clock.advance(by: .seconds(599))
        try await send()
        clock.advance(by: .seconds(1))
        try await send()
        try await enter("12345678")
        #expect(
            forgot.commands == [
                .render("message", .resetCodeSent), .goToPage("reset"), .showAlert(.tooManyResetCodes),
                .render("message", .resetCodeSent), .goToPage("reset"),
            ]
        )
        #expect(reset.commands.last == .goToPage("login"))
    }

    @Test func `a rejected password uses neither the code nor an attempt`() async throws {
        try await send()
        try await enter("12345678", password: "password123", times: 6)
        try await enter("12345678")
        let rejected = Command.render("passwordMessage", PolicyStub.objection)
        #expect(reset.commands.first?.message?.field == "password")
        #expect(
            reset.commands == [
                rejected, rejected, rejected, rejected, rejected, rejected, .render("passwordMessage", nil),
                .showAlert(.passwordReset), .goToPage("login"),
            ]
        )
    }

    @Test func `if the account has gone since, the code is wrong`() async throws {
        try await send(to: "bart@rules.example")
        try await enter("12345678")
        #expect(reset.commands == [wrongReset])
    }

    // MARK: verify

    @Test func `the right code confirms the address of a sign-up, and logs the user in`() async throws {
        code.value = PendingCode(
            .confirm,
            email: "lisa@rules.example",
            hash: "hash",
            signup: "7",
            sent: clock.now
        )
        try await confirm("00000000")
        try await confirm("12345678", times: 2)
        verify.expect([
            wrongVerification, .render("verified", true), .goToPage("Home"), wrongVerification,
        ])
        #expect(owner.changes == ["confirm confirm lisa@rules.example 7"])
        #expect(session.user == AccountOwnerSpy.lisa)
    }

    @Test func `an address that another account has got meanwhile is not confirmed`() async throws {
        code.value = PendingCode(.change, email: "taken@rules.example", hash: "hash", sent: clock.now)
        try await confirm("12345678")
        #expect(verify.commands == [wrongVerification])
        #expect(session.user == nil)
    }

    @Test func `another code goes to the same address, for the same sign-up`() async throws {
        code.value = PendingCode(
            .confirm,
            email: "lisa@rules.example",
            hash: "other",
            signup: "7",
            sent: clock.now
        )
        try await confirm("12345678")
        try await verify.dispatchEvent("sendCodeButtonPressed")
        try await confirm("12345678")
        verify.expect([
            wrongVerification, .render("message", .verificationCodeSent), .render("verified", true),
            .goToPage("Home"),
        ])
        #expect(owner.changes == ["confirm confirm lisa@rules.example 7"])
    }

    @Test func `a user who is logged in gets a code for the address of the account`() async throws {
        session.user = AccountOwnerSpy.lisa
        try await verify.dispatchEvent("sendCodeButtonPressed")
        try await confirm("12345678")
        #expect(owner.codes == ["confirm lisa@rules.example", "check 12345678"])
        #expect(owner.changes == ["confirm confirm lisa@rules.example -"])
    }

    @Test func `without a sign-up and a login, there is no address to send a code to`() async throws {
        try await verify.dispatchEvent("sendCodeButtonPressed")
        #expect(verify.commands == [.goToPage("login")])
    }

    @Test func `the fifth wrong code for an address ends it`() async throws {
        session.user = AccountOwnerSpy.lisa
        try await verify.dispatchEvent("sendCodeButtonPressed")
        try await confirm("00000000", times: 5)
        try await verify.dispatchEvent("sendCodeButtonPressed")
        let exhausted = Command.showAlert(.tooManyVerificationCodes)
        #expect(verify.commands.suffix(2) == [exhausted, exhausted])
    }
}
