import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct SignupBusinessLogicControllerTests {
    private let controller = SignupBusinessLogicController()
    private let recorder = ResponseRecorder(page: "signup")

    init() {
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
        try await enter("password123", into: "password")
    }

    private func submit(times: Int = 1) async throws {
        for _ in 0..<times { try await recorder.dispatchEvent("submitButtonPressed") }
    }

    @Test(arguments: ["name", "email", "password"])
    func `a field that is null is empty`(field: String) async throws {
        try await fillForm(email: "lisa@rules.com")
        try await enter(.null, into: field)
        recorder.expect([
            .render("submitButtonEnabled", false), .render("submitButtonEnabled", true),
            .render("submitButtonEnabled", false),
        ])
    }

    @Test func `a form can be submitted without an earlier event`() async throws {
        for (name, value) in ["name": "Lisa", "email": "lisa@rules.com", "password": "password123"] as Value.Object {
            recorder.setValue(value, for: name)
        }
        try await submit()
        #expect(recorder.commands == [.showAlert(.signupSuccessful)])
        #expect(recorder.alert?.text == "Successful")
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
        #expect(!state.contains("password123"))
        #expect(!(try json(Array(recorder.history.kept)).contains("password123")))
        #expect(
            state
                == #"{"emailIsPresent":true,"nameIsPresent":true,"passwordIsPresent":true,"#
                + #""submitButtonEnabled":true,"unsuccessfulAttempts":2}"#
        )
    }

    @Test func `a discarded password still counts as present`() async throws {
        try await recorder.dispatchEvent("viewDidLoad")
        try await enter("password123", into: "password")
        recorder.setValue(nil, for: "password")
        try await enter("Lisa", into: "name")
        try await enter("lisa@rules.com", into: "email")
        #expect(recorder.commands == [.render("submitButtonEnabled", false), .render("submitButtonEnabled", true)])
    }
}
