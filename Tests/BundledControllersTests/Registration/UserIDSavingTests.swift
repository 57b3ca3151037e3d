@testable import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct UserIDSavingTests {
    private let recorder = ResponseRecorder(page: "register")
    private let store = UserIDStore()
    private let identity = IdentityStub(ClientContext(user: User(username: "lisa", id: "1"), requestID: "r"))
    private let controller: RegistrationBusinessLogicController

    init() {
        controller = RegistrationBusinessLogicController(
            viewModel: RegistrationViewModel(userIDs: store, identity: identity)
        )
        recorder.eventable = controller
    }

    private func endEditing(_ text: Value) async throws {
        recorder.setValue(text, for: "userID")
        try await recorder.dispatchEvent("textFieldDidEndEditing")
    }

    @Test func `a user ID of another user is rejected, and the screen clears it`() async throws {
        _ = try await store.save(userID: "012345678912", for: ClientContext(user: User(username: "bart", id: "2")))
        try await endEditing("012345678912")
        #expect(recorder.commands == [.render("userID", .null), .render("errorMessage", .userIDTaken)])
        #expect(controller.state.userID == nil)
        try await endEditing("012345678913")
        #expect(controller.state.userID == "012345678913")
    }

    @Test func `an error of the store reaches the caller that dispatched the event`() async throws {
        await #expect(throws: Outage()) { try await endEditing("999999999999") }
        #expect(recorder.commands == [])
    }

    @Test func `the default store rejects no user ID`() {
        #expect(NoUserIDSaving().save(userID: "012345678912"))
    }
}
