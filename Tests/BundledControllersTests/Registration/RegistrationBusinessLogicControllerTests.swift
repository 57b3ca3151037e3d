import BundledControllers
import BusinessLogic
import Testing
import UnderstudyTesting

@Suite struct RegistrationBusinessLogicControllerTests {
    private let recorder = ResponseRecorder(page: "register")

    private let accepted: [Command] = [.render("userID", "012345678912"), .render("errorMessage", .null)]
    private let rejected: [Command] = [.render("userID", .null), .render("errorMessage", .invalidUserID)]

    init() {
        recorder.eventable = RegistrationBusinessLogicController()
    }

    private func endEditing(_ text: Value) async throws {
        recorder.setValue(text, for: "userID")
        try await recorder.dispatchEvent("textFieldDidEndEditing")
    }

    @Test func `each entry replaces what the previous one rendered`() async throws {
        try await endEditing("1")
        try await endEditing("012345678912")
        #expect(recorder.commands == rejected + accepted)
        #expect(recorder.rendered == ["userID": "012345678912", "errorMessage": .null])
        try await endEditing("2")
        #expect(recorder.commands == rejected + accepted + rejected)
        #expect(
            recorder.rendered == ["userID": .null, "errorMessage": .string(Message.invalidUserID.text)]
        )
    }

    @Test func `the controller shows the reason that its view model gives`() async throws {
        let store = UserIDStore(["012345678912": ClientContext(user: User(username: "bart"))])
        let identity = StubIdentity(ClientContext(user: User(username: "lisa")))
        recorder.eventable = RegistrationBusinessLogicController(
            viewModel: RegistrationViewModel(userIDs: store, identity: identity)
        )
        try await endEditing("012345678912")
        #expect(recorder.commands == [.render("userID", .null), .render("errorMessage", .userIDTaken)])
    }
}
