import BundledControllers
import BusinessLogic
import Testing

@Suite struct RegistrationBusinessLogicControllerTests {
    private let recorder = ResponseRecorder(page: "register")

    private let accepted: [Command] = [.render("userID", "012345678912"), .render("errorMessage", .null)]
    private let refused: [Command] = [.render("userID", .null), .render("errorMessage", .invalidUserID)]

    init() {
        recorder.eventable = RegistrationBusinessLogicController()
    }

    private func endEditing(_ text: Value) async throws {
        recorder.setValue(text, for: "userID")
        try await recorder.dispatchEvent("textFieldDidEndEditing")
    }

    @Test func `a valid user ID is accepted`() async throws {
        try await endEditing("012345678912")
        #expect(recorder.commands == accepted)
    }

    @Test func `a valid user ID with spaces inside is accepted without them`() async throws {
        try await endEditing(" 012345 678912 ")
        #expect(recorder.commands == accepted)
    }

    @Test func `a valid user ID with white space at both ends is accepted without it`() async throws {
        try await endEditing("  012345678912  ")
        #expect(recorder.commands == accepted)
    }

    @Test func `a valid user ID with newlines and tabs is accepted without them`() async throws {
        try await endEditing("0123\n4567\t8912")
        #expect(recorder.commands == accepted)
    }

    @Test func `a user ID that is too short is rejected`() async throws {
        try await endEditing("1")
        #expect(recorder.commands == refused)
    }

    @Test func `a user ID that is one digit too short is rejected`() async throws {
        try await endEditing("01234567891")
        #expect(recorder.commands == refused)
    }

    @Test func `a user ID that is too long is rejected`() async throws {
        try await endEditing("1000000000000000000")
        #expect(recorder.commands == refused)
    }

    @Test func `a user ID that is one digit too long is rejected`() async throws {
        try await endEditing("0123456789123")
        #expect(recorder.commands == refused)
    }

    @Test func `an empty user ID is rejected`() async throws {
        try await endEditing("")
        #expect(recorder.commands == refused)
    }

    @Test func `a user ID of white space alone is rejected`() async throws {
        try await endEditing("   ")
        #expect(recorder.commands == refused)
    }

    @Test func `a user ID that is null is rejected`() async throws {
        try await endEditing(.null)
        #expect(recorder.commands == refused)
    }

    @Test func `a user ID with letters is rejected`() async throws {
        try await endEditing("01234a67b912")
        #expect(recorder.commands == refused)
    }

    @Test(arguments: nonASCIIDigits)
    func `a user ID with digits outside ASCII is rejected`(userID: String) async throws {
        try await endEditing(.string(userID))
        #expect(recorder.commands == refused)
    }

    @Test(arguments: unicodeWhiteSpace)
    func `a valid user ID with Unicode white space is accepted without it`(space: String) async throws {
        try await endEditing("\(space)012345\(space)678912\(space)")
        #expect(recorder.commands == accepted)
    }

    @Test func `each entry replaces what the previous one rendered`() async throws {
        try await endEditing("1")
        try await endEditing("012345678912")
        #expect(recorder.commands == refused + accepted)
        #expect(recorder.rendered == ["userID": "012345678912", "errorMessage": .null])
        try await endEditing("2")
        #expect(recorder.commands == refused + accepted + refused)
        #expect(
            recorder.rendered == ["userID": .null, "errorMessage": .string(Message.invalidUserID.text)]
        )
    }

    @Test(arguments: [" raw input ", nil])
    func `the view model gets the raw text`(text: String?) async throws {
        let viewModel = StubRegistrationViewModel()
        recorder.eventable = RegistrationBusinessLogicController(viewModel: viewModel)
        viewModel.userID = "what the view model keeps"
        try await endEditing(Value(text))
        #expect(viewModel.capturedInputs == [text])
        #expect(
            recorder.commands == [.render("userID", "what the view model keeps"), .render("errorMessage", .null)]
        )
    }

    @Test func `a user ID that the view model finds invalid is rejected`() async throws {
        let viewModel = StubRegistrationViewModel()
        recorder.eventable = RegistrationBusinessLogicController(viewModel: viewModel)
        viewModel.stubbedUpdateUserID = false
        try await endEditing("012345678912")
        #expect(recorder.commands == refused)
    }

    @Test func `a missing user ID, or one that is not a text, does not reach the view model`() async throws {
        let viewModel = StubRegistrationViewModel()
        recorder.eventable = RegistrationBusinessLogicController(viewModel: viewModel)
        await #expect(throws: EventError.missingField("userID", fields: ["userID"])) {
            try await recorder.dispatchEvent("textFieldDidEndEditing")
        }
        await #expect(throws: EventError.wrongFieldType("userID", expected: .string, fields: ["userID"])) {
            try await endEditing(12_345_678_912)
        }
        #expect(viewModel.capturedInputs == [])
        #expect(recorder.commands == [])
    }
}
