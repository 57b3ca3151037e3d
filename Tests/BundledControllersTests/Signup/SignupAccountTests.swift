import Addresses
@testable import BundledControllers
import BusinessLogic
import Testing
import TestSupport
import UnderstudyTesting

/// What sign-up adds to the article's rules: a password policy, and the creation of accounts.
@Suite struct SignupAccountTests {
    private let recorder = ResponseRecorder(page: "signup")
    private let accounts = AccountSpy()
    private let identity = IdentityStub(ClientContext(address: IPAddress("203.0.113.7"), requestID: "r"))
    private let controller: SignupBusinessLogicController

    private let rejected: [Command] = [
        .render("passwordMessage", PolicyStub.objection), .render("submitButtonEnabled", false),
    ]
    private let successful = Command.showAlert(.signupSuccessful)

    init() {
        controller = SignupBusinessLogicController(
            viewModel: SignupViewModel(passwordPolicy: PolicyStub(), accounts: accounts, identity: identity)
        )
        recorder.eventable = controller
    }

    private func enter(_ value: Value, into field: String) async throws {
        recorder.setValue(value, for: field)
        try await recorder.dispatchEvent(Event("\(field)Changed"))
    }

    private func submit(name: String = "Lisa", email: String = "lisa@rules.com", password: String) async throws {
        for (field, value) in [("name", name), ("email", email), ("password", password)] {
            recorder.setValue(.string(value), for: field)
        }
        try await recorder.dispatchEvent("submitButtonPressed")
    }

    @Test func `the account is created before the sign-up reports success`() async throws {
        try await submit(password: "bobcat")
        #expect(recorder.commands == [successful])
        let lisa = AccountSpy.Created(
            name: "Lisa",
            email: "lisa@rules.com",
            password: "bobcat",
            client: identity.client
        )
        #expect(await accounts.created == [lisa])
    }

    @Test func `an account that cannot be created is neither a success nor an attempt`() async throws {
        for _ in 1...3 { await #expect(throws: Outage()) { try await submit(name: "Chris", password: "bobcat") } }
        #expect(recorder.commands == [])
        try await submit(password: "bobcat")
        #expect(recorder.commands == [successful])
    }

    @Test func `a password that the policy rejects creates nothing and does not count as an attempt`() async throws {
        for _ in 1...4 { try await submit(password: "password123") }
        #expect(recorder.commands == rejected + rejected + rejected + rejected)
        #expect(await accounts.created == [])
        try await submit(password: "bobcat")
        #expect(recorder.commands.suffix(2) == [.render("passwordMessage", .null), successful])
    }

    @Test func `at submission, the policy gets the name and the email address`() async throws {
        try await submit(password: "Lisa")
        #expect(recorder.commands == rejected)
    }

    @Test func `the button stays disabled while the policy rejects the password`() async throws {
        try await recorder.dispatchEvent("viewDidLoad")
        try await enter("Lisa", into: "name")
        try await enter("lisa@rules.com", into: "email")
        try await enter("password123", into: "password")
        try await enter("password123", into: "password")
        try await enter("bobcat", into: "password")
        try await enter("password123", into: "password")
        try await enter("", into: "password")
        recorder.expect([
            .render("submitButtonEnabled", false),
            .render("passwordMessage", PolicyStub.objection),
            .render("passwordMessage", .null), .render("submitButtonEnabled", true),
            .render("passwordMessage", PolicyStub.objection), .render("submitButtonEnabled", false),
            .render("passwordMessage", .null),
        ])
    }

    @Test func `an invalid email address is reported before the password`() async throws {
        try await submit(email: "lisa@rules", password: "password123")
        #expect(recorder.commands == [.showAlert(.signupUnsuccessful)])
    }

    @Test func `the state contains the policy's objection and not the password`() async throws {
        try await enter("password123", into: "password")
        let text = try json(controller.state)
        #expect(text.contains("test.objection"))
        #expect(!text.contains("password123"))
        #expect(try throughJSON(controller.state) == controller.state)
    }

    @Test func `a sign-up whose address must be confirmed says so, and its session waits for the code`() async throws {
        let (code, clock) = (Shared<PendingCode?>(nil), ManualClock())
        let controller = SignupBusinessLogicController(
            viewModel: SignupViewModel(accounts: ConfirmedAccounts(), code: code, clock: clock)
        )
        recorder.eventable = controller
        try await submit(password: "bobcat")
        #expect(recorder.commands == [successful, .render("codeSent", true)])
        #expect(
            code.value
                == PendingCode(.confirm, email: "lisa@rules.com", hash: "hash", signup: "7", sent: clock.now)
        )
    }
}
