@testable import BundledControllers
import Testing
import TestSupport

@Suite struct EmailBusinessLogicControllerTests {
    private let store = StoreSpy()
    private let recorder = ResponseRecorder(page: "email")

    init() {
        recorder.eventable = EmailBusinessLogicController(person: Person(store: store))
    }

    private func enter(_ email: Value) async throws {
        recorder.setValue(email, for: "email")
        try await recorder.dispatchEvent("emailChanged")
    }

    @Test(arguments: [("lisa@rules.com", true), ("lisa@rules", false), ("", false), (.null, false)] as [(Value, Bool)])
    func `only a valid address enables the save button, and entering one saves nothing`(
        email: Value,
        isEnabled: Bool
    ) async throws {
        try await enter(email)
        #expect(recorder.commands == [.render("saveButtonEnabled", .boolean(isEnabled))])
        #expect(await store.saved == [])
    }

    @Test func `a change that does not affect the button renders nothing`() async throws {
        for email in ["lisa@rules.com", "lisa@rules.co", "lisa@rules.com"] as [Value] { try await enter(email) }
        #expect(recorder.commands == [.render("saveButtonEnabled", true)])
    }

    @Test func `saving an address that is not valid saves nothing, shows why, and disables the save button`()
        async throws
    {
        try await enter("lisa@rules")
        try await recorder.dispatchEvent("saveButtonPressed")
        recorder.expect([
            .render("saveButtonEnabled", false), .render("message", .invalidEmail),
            .render("saveButtonEnabled", false),
        ])
        #expect(await store.saved == [])
    }

    @Test func `the entered address is saved, not the field's later value`() async throws {
        try await enter("lisa@rules.com")
        recorder.setValue("lisa@rules", for: "email")
        try await recorder.dispatchEvent("saveButtonPressed")
        #expect(recorder.commands == [.render("saveButtonEnabled", true), .goToPage("advance")])
        #expect(await store.saved == ["lisa@rules.com"])
    }

    @Test func `the state contains only the address and whether the save button is enabled`() async throws {
        let controller = EmailBusinessLogicController()
        recorder.eventable = controller
        #expect(try json(controller.state) == #"{"email":""}"#)
        try await enter("lisa@rules.com")
        #expect(try json(controller.state) == #"{"email":"lisa@rules.com","saveButtonEnabled":true}"#)
    }

    // MARK: The initial state

    @Test func `the view loads with a disabled save button, and no address if none is saved`() async throws {
        try await recorder.dispatchEvent("viewDidLoad")
        #expect(recorder.commands == [.render("saveButtonEnabled", false)])
        try await enter("lisa@rules")
        #expect(recorder.commands == [.render("saveButtonEnabled", false)])
        try await enter("lisa@rules.com")
        #expect(recorder.commands == [.render("saveButtonEnabled", false), .render("saveButtonEnabled", true)])
    }

    @Test func `the view loads with the current state of the button and the saved address`() async throws {
        try await enter("lisa@rules.com")
        try await recorder.dispatchEvent("saveButtonPressed")
        try await recorder.dispatchEvent("viewDidLoad")
        recorder.expect([
            .render("saveButtonEnabled", true), .goToPage("advance"), .render("saveButtonEnabled", true),
            .render("email", "lisa@rules.com"),
        ])
    }

    @Test func `the view shows the address that the user saved in an earlier session`() async throws {
        let identity = StubIdentity(ClientContext(user: User(username: "lisa")))
        let store = StoreSpy(["lisa": "lisa@rules.com"])
        recorder.eventable = EmailBusinessLogicController(person: Person(store: store, identity: identity))
        try await recorder.dispatchEvent("viewDidLoad")
        #expect(recorder.commands == [.render("saveButtonEnabled", false), .render("email", "lisa@rules.com")])
    }

    // MARK: Messages

    @Test func `the message is cleared when the address changes, once`() async throws {
        try await recorder.dispatchEvent("saveButtonPressed")
        try await enter("lisa@rules")
        try await enter("lisa@rules.com")
        try await recorder.dispatchEvent("saveButtonPressed")
        recorder.expect([
            .render("message", .invalidEmail), .render("saveButtonEnabled", false), .render("message", .null),
            .render("saveButtonEnabled", true), .goToPage("advance"),
        ])
        #expect(recorder.renderedMessages == [])
    }

    @Test func `without a logged-in user, saving shows an alert instead of advancing`() async throws {
        let identity = StubIdentity()
        recorder.eventable = EmailBusinessLogicController(
            person: Person(store: MembersOnlyStore(), identity: identity)
        )
        try await enter("lisa@rules.com")
        try await recorder.dispatchEvent("saveButtonPressed")
        #expect(recorder.commands == [.render("saveButtonEnabled", true), .showAlert(.emailNotLoggedIn)])
        identity.user = User(username: "lisa")
        try await recorder.dispatchEvent("saveButtonPressed")
        #expect(recorder.commands.last == .goToPage("advance"))
        #expect(recorder.alert == nil)
    }
}
