import Addresses
@testable import BundledControllers
import Testing
import TestSupport
import UnderstudyTesting

@Suite struct SignupBusinessLogicControllerTests {
    private let recorder = ResponseRecorder(page: "signup")
    private let accounts = AccountSpy()
    private let identity = StubIdentity(ClientContext(address: IPAddress("203.0.113.7"), requestID: "r"))
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

    /// The view has loaded and the form is filled.
    private func fillForm(email: Value) async throws {
        try await recorder.dispatchEvent("viewDidLoad")
        try await enter("Lisa", into: "name")
        try await enter(email, into: "email")
        try await enter("bobcat", into: "password")
    }

    private func submit(times: Int = 1) async throws {
        for _ in 0..<times { try await recorder.dispatchEvent("submitButtonPressed") }
    }

    private func submit(name: String = "Lisa", email: String = "lisa@rules.com", password: String) async throws {
        for (field, value) in [("name", name), ("email", email), ("password", password)] {
            recorder.setValue(.string(value), for: field)
        }
        try await recorder.dispatchEvent("submitButtonPressed")
    }

    @Test func `a submission uses its own values for all fields`() async throws {
        try await fillForm(email: "lisa@rules")
        recorder.setValue("lisa@rules.com", for: "email")
        try await submit()
        recorder.expect([
            .render("submitButtonEnabled", false), .render("submitButtonEnabled", true),
            .showAlert(.signupSuccessful),
        ])
    }

    @Test(arguments: ["name", "email", "password"])
    func `a form with a missing field is rejected and does not count as an attempt`(field: String) async throws {
        try await fillForm(email: "lisa@rules")
        try await submit(times: 2)
        let value = recorder.getValue(field)
        recorder.setValue(nil, for: field)
        await #expect(throws: EventError.missingField(field, fields: ["name", "email", "password"])) {
            try await submit()
        }
        let untilThen: [Command] = [
            .render("submitButtonEnabled", false), .render("submitButtonEnabled", true),
            .showAlert(.signupUnsuccessful), .showAlert(.signupUnsuccessful),
        ]
        #expect(recorder.commands == untilThen)
        recorder.setValue(value, for: field)
        try await submit()
        #expect(
            recorder.commands
                == untilThen + [.showAlert(.tooManySignupAttempts), .render("submitButtonEnabled", false)]
        )
    }

    @Test func `the state contains whether a password is present, and not the password`() async throws {
        try await fillForm(email: "lisa@rules")
        try await submit(times: 2)
        let state = try json(controller.state)
        #expect(!state.contains("bobcat"))
        #expect(!(try json(Array(recorder.history.kept)).contains("bobcat")))
        #expect(
            state
                == #"{"emailIsPresent":true,"nameIsPresent":true,"passwordIsPresent":true,"#
                + #""submitButtonEnabled":true,"unsuccessfulAttempts":2}"#
        )
    }

    @Test func `a discarded password still counts as present`() async throws {
        try await recorder.dispatchEvent("viewDidLoad")
        try await enter("bobcat", into: "password")
        recorder.setValue(nil, for: "password")
        try await enter("Lisa", into: "name")
        try await enter("lisa@rules.com", into: "email")
        #expect(recorder.commands == [.render("submitButtonEnabled", false), .render("submitButtonEnabled", true)])
    }

    // MARK: The password policy, and accounts

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
        let request = CodeRequest(code: code, clock: clock, identity: nil)
        let controller = SignupBusinessLogicController(
            viewModel: SignupViewModel(accounts: ConfirmedAccounts(), request: request)
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
