@testable import BundledControllers
import Testing
import TestSupport

@Suite struct SignupViewModelTests {
    /// Records the outputs of the view model, in order.
    private final class OutputSpy: SignupViewModelOutputs {
        enum Output: Equatable {
            case alertMessage(Message)
            case submitButtonEnabled(Bool)
            case passwordMessage(Message?)
            /// What is missing: the message, and the field that it is about.
            case formMessage(Message?, String?)
            case codeSent
        }

        private(set) var outputs: [Output] = []

        func expect(_ outputs: [Output], sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(self.outputs == outputs, sourceLocation: sourceLocation)
        }

        func alertMessage(_ message: Message) {
            outputs.append(.alertMessage(message))
        }

        func submitButtonEnabled(_ isEnabled: Bool) {
            outputs.append(.submitButtonEnabled(isEnabled))
        }

        func passwordMessage(_ message: Message?) {
            outputs.append(.passwordMessage(message))
        }

        func formMessage(_ message: Message?) {
            outputs.append(.formMessage(message, message?.field))
        }

        func codeSent() {
            outputs.append(.codeSent)
        }
    }

    /// Accepts every address, or none.
    private struct StubEmailValidator: EmailValidating {
        let isValid: Bool

        func isValid(email: String?) -> Bool { isValid }
    }

    private let viewModel = SignupViewModel()
    private let spy = OutputSpy()

    init() {
        viewModel.outputs = spy
    }

    /// The view has loaded and the form is filled.
    private func fillForm(email: String) {
        viewModel.viewDidLoad()
        viewModel.nameChanged("Lisa")
        viewModel.emailChanged(email)
        viewModel.passwordChanged("password123")
    }

    private func submit(email: String?) async throws {
        try await viewModel.submitButtonPressed(name: "Lisa", email: email, password: "password123")
    }

    @Test func `the submit button is disabled, enabled once all fields are given, and disabled when one is emptied`()
        async throws
    {
        viewModel.viewDidLoad()
        #expect(spy.outputs == [.submitButtonEnabled(false)])
        viewModel.nameChanged("Chris")
        #expect(spy.outputs == [.submitButtonEnabled(false)])
        viewModel.emailChanged("chris@gmail.com")
        #expect(spy.outputs == [.submitButtonEnabled(false)])
        viewModel.passwordChanged("secret123")
        #expect(spy.outputs == [.submitButtonEnabled(false), .submitButtonEnabled(true)])
        viewModel.nameChanged("")
        #expect(spy.outputs == [.submitButtonEnabled(false), .submitButtonEnabled(true), .submitButtonEnabled(false)])
    }

    @Test(arguments: ["", nil])
    func `the submit button is disabled while a field is empty`(nothing: String?) async throws {
        fillForm(email: "lisa@rules.com")
        viewModel.nameChanged(nothing)
        viewModel.nameChanged("Lisa")
        viewModel.emailChanged(nothing)
        viewModel.emailChanged("lisa@rules.com")
        viewModel.passwordChanged(nothing)
        viewModel.passwordChanged("password123")
        spy.expect([
            .submitButtonEnabled(false), .submitButtonEnabled(true), .submitButtonEnabled(false),
            .submitButtonEnabled(true), .submitButtonEnabled(false), .submitButtonEnabled(true),
            .submitButtonEnabled(false), .submitButtonEnabled(true),
        ])
    }

    @Test func `the fields can be filled in any order, and the button does not depend on a valid email address`()
        async throws
    {
        viewModel.viewDidLoad()
        viewModel.passwordChanged("password123")
        viewModel.emailChanged("l")
        viewModel.nameChanged("Lisa")
        #expect(spy.outputs == [.submitButtonEnabled(false), .submitButtonEnabled(true)])
    }

    @Test func `a change that does not affect the button renders nothing`() async throws {
        fillForm(email: "lisa@rules.com")
        viewModel.nameChanged("Lisa Luo")
        viewModel.emailChanged("luo@rules.com")
        viewModel.passwordChanged("password1234")
        #expect(spy.outputs == [.submitButtonEnabled(false), .submitButtonEnabled(true)])
    }

    @Test func `a view that has not reported its load gets the button's first state`() async throws {
        viewModel.nameChanged("Lisa")
        viewModel.emailChanged("lisa@rules.com")
        viewModel.passwordChanged("password123")
        #expect(spy.outputs == [.submitButtonEnabled(false), .submitButtonEnabled(true)])
    }

    // MARK: Rule 1 at submission

    @Test(
        arguments: [
            ("", "lisa@rules.com", "password123", "name"), (nil, "lisa@rules.com", "password123", "name"),
            ("Lisa", "", "password123", "email"), ("Lisa", nil, "password123", "email"),
            ("Lisa", "lisa@rules.com", "", "password"), ("Lisa", "lisa@rules.com", nil, "password"),
            ("", "lisa@rules", "", "name"), ("Lisa", "", "", "email"),
        ] as [(String?, String?, String?, String)]
    )
    func `a form with an empty field cannot be submitted, and the message is about that field`(
        name: String?,
        email: String?,
        password: String?,
        missing: String
    ) async throws {
        try await viewModel.submitButtonPressed(name: name, email: email, password: password)
        #expect(spy.outputs == [.formMessage(.signupIncomplete, missing), .submitButtonEnabled(false)])
    }

    @Test func `an incomplete form counts no attempt, and the message is cleared once the form is complete`()
        async throws
    {
        try await submit(email: "lisa@rules")
        try await submit(email: "lisa@rules")
        for _ in 1...3 { try await submit(email: nil) }
        try await submit(email: "lisa@rules.com")
        try await submit(email: "lisa@rules")
        let incomplete: [OutputSpy.Output] = [.formMessage(.signupIncomplete, "email"), .submitButtonEnabled(false)]
        #expect(
            spy.outputs == [.alertMessage(.signupUnsuccessful), .alertMessage(.signupUnsuccessful)]
                + incomplete + incomplete + incomplete
                + [
                    .formMessage(nil, nil), .submitButtonEnabled(true), .alertMessage(.signupSuccessful),
                    .alertMessage(.tooManySignupAttempts),
                    .submitButtonEnabled(false),
                ]
        )
    }

    @Test func `an incomplete submission disables an enabled button until the field is filled in again`() async throws {
        fillForm(email: "lisa@rules.com")
        try await submit(email: "")
        viewModel.emailChanged("lisa@rules.com")
        spy.expect([
            .submitButtonEnabled(false), .submitButtonEnabled(true), .formMessage(.signupIncomplete, "email"),
            .submitButtonEnabled(false), .formMessage(nil, nil), .submitButtonEnabled(true),
        ])
    }

    @Test func `the message about a field is cleared when that field is filled in, and by no other field`() async throws
    {
        try await viewModel.submitButtonPressed(name: "", email: "", password: "")
        viewModel.emailChanged("lisa@rules.com")
        viewModel.passwordChanged("password123")
        #expect(spy.outputs == [.formMessage(.signupIncomplete, "name"), .submitButtonEnabled(false)])
        viewModel.nameChanged("Lisa")
        viewModel.nameChanged("")
        #expect(
            spy.outputs.dropFirst(2) == [
                .formMessage(nil, nil), .submitButtonEnabled(true), .submitButtonEnabled(false),
            ]
        )
    }

    @Test func `after too many attempts, an incomplete form is rejected as any other`() async throws {
        for _ in 1...3 { try await submit(email: "lisa@rules") }
        try await submit(email: nil)
        #expect(spy.outputs.last == .alertMessage(.tooManySignupAttempts))
    }

    // MARK: Rules 2 and 3

    @Test func `the third unsuccessful attempt shows an alert and disables the button permanently`() async throws {
        fillForm(email: "lisa@rules")
        for _ in 1...3 { try await submit(email: "lisa@rules") }
        let untilThen: [OutputSpy.Output] = [
            .submitButtonEnabled(false), .submitButtonEnabled(true),
            .alertMessage(.signupUnsuccessful), .alertMessage(.signupUnsuccessful),
            .alertMessage(.tooManySignupAttempts), .submitButtonEnabled(false),
        ]
        #expect(spy.outputs == untilThen)
        viewModel.emailChanged("lisa@rules.com")
        viewModel.nameChanged("Lisa Luo")
        viewModel.passwordChanged("password1234")
        #expect(spy.outputs == untilThen)
    }

    @Test func `every submission after too many attempts is rejected, even with a valid email address`() async throws {
        for _ in 1...4 { try await submit(email: "lisa@rules") }
        try await submit(email: "lisa@rules.com")
        spy.expect([
            .alertMessage(.signupUnsuccessful), .alertMessage(.signupUnsuccessful),
            .alertMessage(.tooManySignupAttempts), .submitButtonEnabled(false),
            .alertMessage(.tooManySignupAttempts), .alertMessage(.tooManySignupAttempts),
        ])
    }

    @Test func `the button stays disabled when the view loads again after too many attempts`() async throws {
        for _ in 1...3 { try await submit(email: "lisa@rules") }
        fillForm(email: "lisa@rules.com")
        spy.expect([
            .alertMessage(.signupUnsuccessful), .alertMessage(.signupUnsuccessful),
            .alertMessage(.tooManySignupAttempts), .submitButtonEnabled(false), .submitButtonEnabled(false),
        ])
    }

    @Test func `a success does not reset the count of unsuccessful attempts`() async throws {
        for email in ["lisa@rules", "lisa@rules.com", "lisa@rules", "lisa@rules.com", "lisa@rules"] {
            try await submit(email: email)
        }
        spy.expect([
            .alertMessage(.signupUnsuccessful), .alertMessage(.signupSuccessful),
            .alertMessage(.signupUnsuccessful), .alertMessage(.signupSuccessful),
            .alertMessage(.tooManySignupAttempts), .submitButtonEnabled(false),
        ])
    }

    @Test func `the values at submission also update the button`() async throws {
        viewModel.viewDidLoad()
        try await viewModel.submitButtonPressed(name: "Lisa", email: "lisa@rules.com", password: "password123")
        viewModel.nameChanged("Lisa Luo")
        try await viewModel.submitButtonPressed(name: "Lisa", email: "lisa@rules.com", password: nil)
        viewModel.nameChanged("Lisa")
        spy.expect([
            .submitButtonEnabled(false), .alertMessage(.signupSuccessful), .submitButtonEnabled(true),
            .formMessage(.signupIncomplete, "password"), .submitButtonEnabled(false),
        ])
    }

    @Test(
        arguments: [
            (true, [.alertMessage(.signupSuccessful)]), (false, [.alertMessage(.signupUnsuccessful)]),
        ] as [(Bool, [OutputSpy.Output])]
    )
    private func `the injected validator decides whether an email address is valid`(
        isValid: Bool,
        outputs: [OutputSpy.Output]
    ) async throws {
        let viewModel = SignupViewModel(emailValidator: StubEmailValidator(isValid: isValid))
        viewModel.outputs = spy
        try await viewModel.submitButtonPressed(name: "Lisa", email: "anything", password: "password123")
        #expect(spy.outputs == outputs)
    }
}
