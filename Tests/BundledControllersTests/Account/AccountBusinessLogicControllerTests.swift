import Testing
import TestSupport
import UnderstudyTesting

@Suite struct AccountBusinessLogicControllerTests {
    private let credentials = CredentialCheck { username, password, _ in
        username == AccountOwnerSpy.lisa.username && password == "bruce" ? AccountOwnerSpy.lisa : nil
    }
    private let code = Shared<PendingCode?>(nil)
    private let owner = AccountOwnerSpy()
    private let session = StubIdentity(ClientContext(user: AccountOwnerSpy.lisa))
    private let recorder = ResponseRecorder(page: "account")

    init() {
        recorder.eventable = AccountBusinessLogicController(
            accounts: owner,
            credentials: credentials,
            request: CodeRequest(code: code, accounts: owner, clock: ManualClock(), identity: session),
            passwordPolicy: PolicyStub(),
            identity: session
        )
    }

    private func send(_ event: Event, _ values: Value.Object = [:]) async throws {
        for (name, value) in values { recorder.setValue(value, for: name) }
        try await recorder.dispatchEvent(event)
    }

    @Test func `the page shows the account and its devices`() async throws {
        try await send("viewDidLoad")
        recorder.expect([
            .render("username", "lisa@rules.example"), .render("email", "lisa@rules.example"),
            .render("emailConfirmed", true),
            .render("sessions", [session("b", isCurrent: true), session("a", isCurrent: false)]),
            .render("sessionCount", 2), .render("devices", [["id": "a", "lastLogin": "1970-01-01T00:00:02Z"]]),
        ])
    }

    @Test(
        arguments: [
            ("viewDidLoad", [:]), ("exportButtonPressed", [:]), ("endSessionsButtonPressed", [:]),
            ("endSessionButtonPressed", ["session": "a"]), ("endDeviceButtonPressed", ["device": "a"]),
            ("deleteButtonPressed", ["password": "bruce"]),
            ("changeEmailButtonPressed", ["newEmail": "bart@rules.example", "password": "bruce"]),
            ("changePasswordButtonPressed", ["password": "bruce", "newPassword": "a new long password"]),
        ] as [(Event, Value.Object)]
    )
    func `without a user, every event leads to the login and changes nothing`(event: Event, values: Value.Object)
        async throws
    {
        session.user = nil
        try await send(event, values)
        #expect(recorder.commands == [.goToPage("login")])
        #expect(owner.changes == [])
        #expect(owner.codes == [])
    }

    @Test(
        arguments: [
            ("deleteButtonPressed", "deletionMessage", [:]),
            ("changeEmailButtonPressed", "newEmailMessage", ["newEmail": "bart@rules.example"]),
            ("changePasswordButtonPressed", "newPasswordMessage", ["newPassword": "a new long password"]),
        ] as [(Event, String, Value.Object)]
    )
    func `with a wrong password, nothing changes, and the message belongs to the event`(
        event: Event,
        output: String,
        values: Value.Object
    ) async throws {
        recorder.setValue("robin", for: "password")
        try await send(event, values)
        #expect(recorder.commands == [.render(output, .wrongAccountPassword)])
        #expect(owner.changes == [])
        #expect(owner.codes == [])
        #expect(session.user != nil)
    }

    @Test func `another address gets a code, which the page verify asks for`() async throws {
        try await send("changeEmailButtonPressed", ["newEmail": "bart@rules.example", "password": "robin"])
        try await send("changeEmailButtonPressed", ["password": "bruce"])
        recorder.expect([
            .render("newEmailMessage", .wrongAccountPassword), .render("newEmailMessage", nil), .goToPage("verify"),
        ])
        #expect(owner.codes == ["change bart@rules.example"])
        #expect(code.value?.email == "bart@rules.example")
        #expect(code.value?.purpose == .change)
    }

    @Test func `a text that is not an address gets no code`() async throws {
        try await send("changeEmailButtonPressed", ["newEmail": "bart@rules", "password": "bruce"])
        #expect(recorder.commands == [.render("newEmailMessage", .invalidNewEmail)])
        #expect(owner.codes == [])
    }

    @Test func `another password logs the user out`() async throws {
        try await send("changePasswordButtonPressed", ["password": "bruce", "newPassword": "password123"])
        try await send("changePasswordButtonPressed", ["newPassword": "a new long password"])
        recorder.expect([
            .render("newPasswordMessage", PolicyStub.objection), .render("newPasswordMessage", nil),
            .showAlert(.accountPasswordChanged), .goToPage("login"),
        ])
        #expect(recorder.commands.first?.message?.field == "newPassword")
        #expect(owner.changes == ["change password a new long password"])
        #expect(session.user == nil)
    }

    @Test(arguments: ["viewDidLoad", "exportButtonPressed", "endSessionsButtonPressed"] as [Event])
    func `a user without an account is told so`(event: Event) async throws {
        session.user = User(username: "batman")
        try await send(event)
        #expect(recorder.commands == [.showAlert(.noAccount)])
    }

    @Test func `a session ends once, and the page shows the others`() async throws {
        try await send("endSessionButtonPressed", ["session": "c"])
        try await send("endSessionButtonPressed", ["session": "a"])
        recorder.expect([
            .render("sessionMessage", .unknownSession),
            .render("sessions", [session("b", isCurrent: true), session("a", isCurrent: false)]),
            .render("sessionCount", 2), .render("sessionMessage", nil),
            .render("sessions", [session("b", isCurrent: true)]), .render("sessionCount", 1),
        ])
        #expect(owner.changes == ["end session a"])
    }

    private func session(_ id: String, isCurrent: Bool) -> Value {
        [
            "id": .string(id), "started": "1970-01-01T00:00:01Z", "lastUsed": "1970-01-01T00:00:02Z",
            "isCurrent": .boolean(isCurrent),
        ]
    }

    @Test func `a device ends once`() async throws {
        try await send("endDeviceButtonPressed", ["device": "a"])
        try await send("endDeviceButtonPressed", ["device": "b"])
        recorder.expect([
            .render("devices", []), .render("deviceMessage", .unknownDevice), .render("devices", []),
        ])
        #expect(owner.changes == ["end device a"])
    }

    @Test func `what has ended is not shown, also if the change is stored after the event`() async throws {
        let controller = AccountBusinessLogicController(
            accounts: AccountOwnerSpy(storesLater: true),
            credentials: credentials,
            request: CodeRequest(code: code, clock: ManualClock(), identity: session),
            identity: session
        )
        recorder.eventable = controller
        try await send("endSessionButtonPressed", ["session": "a"])
        try await send("endDeviceButtonPressed", ["device": "a"])
        recorder.expect([
            .render("sessions", [session("b", isCurrent: true)]), .render("sessionCount", 1), .render("devices", []),
        ])
    }

    @Test func `all sessions end, also this one`() async throws {
        try await send("endSessionsButtonPressed")
        #expect(recorder.commands == [.showAlert(.sessionsEnded), .goToPage("login")])
        #expect(owner.changes == ["end sessions"])
        #expect(session.user == nil)
    }

    @Test func `the export contains the whole account`() async throws {
        try await send("exportButtonPressed")
        #expect(recorder.rendered["export"]?.object?["created"] == "1970-01-01T00:00:01Z")
        #expect(recorder.rendered["export"]?.object?["devices"]?.array?.count == 1)
    }

    @Test func `a deleted account logs the user out`() async throws {
        try await send("deleteButtonPressed", ["password": "bruce"])
        #expect(recorder.commands == [.showAlert(.accountDeleted), .goToPage("login")])
        #expect(owner.changes == ["delete"])
        #expect(session.user == nil)
    }
}
