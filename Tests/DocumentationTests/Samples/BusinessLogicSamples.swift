import BundledControllers
import BusinessLogic
import Testing
import UnderstudyTesting

@Suite struct BusinessLogicSamples {
    private let credentials = FixedCredentials(["batman": "bruce"])
    private let clock = ManualClock()

    // MARK: A controller

    /// Greets each guest by name, and counts them.
    final class GuestbookController: BusinessLogicController {
        static let events: EventTable<GuestbookController> = [
            .default("signButtonPressed", reads: ["name"]) { $0.sign() }
        ]

        weak var controllable: (any Controllable)?
        var state = 0

        private func sign() {
            guard let name = text("name"), !name.isEmpty else {
                controllable?.showAlert(Message(code: "guestbook.noName", text: "Please write your name"))
                return
            }
            state += 1
            controllable?.render("greeting", "Welcome \(name), you are guest \(state)")
        }
    }

    @Test func `a guest is greeted`() async throws {
        let screen = ResponseRecorder()
        screen.eventable = GuestbookController()
        screen.setValue("Lisa", for: "name")
        try await screen.dispatchEvent("signButtonPressed")
        #expect(screen.commands == [.render("greeting", "Welcome Lisa, you are guest 1")])

        screen.setValue("", for: "name")
        try await screen.dispatchEvent("signButtonPressed")
        #expect(screen.alert == Message(code: "guestbook.noName", text: "Please write your name"))
    }

    // MARK: A table of events

    private final class DoorController: BusinessLogicController {
        static let events: EventTable<DoorController> = [
            .default("openButtonPressed", reads: ["name", .secret("code")]) { try await $0.open() },
            .event("lockButtonPressed") { $0.lock() },
        ]

        typealias State = NoState

        weak var controllable: (any Controllable)?
        private let credentials: any CredentialChecking

        init(credentials: any CredentialChecking) {
            self.credentials = credentials
        }

        private func open() async throws {
            let user = try await credentials.authenticate(
                username: text("name") ?? "",
                password: text("code") ?? "",
                for: ClientContext()
            )
            controllable?.render("isOpen", .boolean(user != nil))
        }

        private func lock() {
            controllable?.render("isOpen", false)
        }
    }

    @Test func `a table declares events, their fields and what they do`() async throws {
        let screen = TestControllable(DoorController(credentials: credentials))
        try await screen.send("openButtonPressed", ["name": "batman", "code": "bruce"])
        screen.expect(.render("isOpen", true))
        try await screen.send("lockButtonPressed")
        screen.expect(.render("isOpen", false))
        await #expect(throws: EventError.missingField("code", fields: ["name", "code"])) {
            try await screen.send("openButtonPressed", ["name": "batman"])
        }
    }

    // MARK: A recorder

    @Test func `a recorder takes the place of a screen`() async throws {
        let recorder = ResponseRecorder()
        recorder.eventable = LoginBusinessLogicController(credentials: credentials, clock: clock)
        recorder.setValue("batman", for: "username")
        recorder.setValue("bruce", for: "password")
        try await recorder.dispatchEvent("loginButtonPressed")
        #expect(recorder.commands == [.goToPage("Home")])
    }
}
