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
        static let name = Field<String>("name")
        static let newsletter = Field<Bool>("newsletter").whenAbsent(false)
        static let greeting = Output<String>("greeting")

        static let events: EventTable<GuestbookController> = [
            .default("signButtonPressed", reads: name, newsletter, gives: [.renders(greeting), .alerts(.noName)]) {
                $0.sign(name: $1, newsletter: $2)
            }
        ]

        weak var controllable: (any Controllable)?
        var state = 0

        private func sign(name: String, newsletter: Bool) {
            guard !name.isEmpty else { return showAlert(.noName) }
            state += 1
            render(Self.greeting, "Welcome \(name), you are guest \(state)")
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
        #expect(screen.alert == .noName)
    }

    // MARK: A table of events

    private final class DoorController: BusinessLogicController {
        static let name = Field<String>("name")
        static let code = Field<String>("code", isSecret: true)
        static let isOpen = Output<Bool>("isOpen")

        static let events: EventTable<DoorController> = [
            .default("openButtonPressed", reads: name, code, gives: [.renders(isOpen), .alerts(.wrongCode)]) {
                try await $0.open(name: $1, code: $2)
            },
            .event("lockButtonPressed", gives: [.renders(isOpen)]) { $0.lock() },
        ]

        typealias State = NoState

        weak var controllable: (any Controllable)?
        private let credentials: any CredentialChecking

        init(credentials: any CredentialChecking) {
            self.credentials = credentials
        }

        private func open(name: String, code: String) async throws {
            let user = try await credentials.authenticate(username: name, password: code, for: ClientContext())
            guard user != nil else { return showAlert(.wrongCode) }
            render(Self.isOpen, true)
        }

        private func lock() {
            render(Self.isOpen, false)
        }
    }

    @Test func `a table declares events, their fields and what they do`() async throws {
        let screen = TestControllable(DoorController(credentials: credentials))
        try await screen.send("openButtonPressed", ["name": "batman", "code": "bruce"])
        screen.expect(DoorController.isOpen, true)
        try await screen.send("lockButtonPressed")
        screen.expect(DoorController.isOpen, false)
        try await screen.send("openButtonPressed", ["name": "batman", "code": "robin"])
        screen.expect(.showAlert(.wrongCode))
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

    // MARK: Fields

    private enum Reservation {
        static let name = Field<String>("name", maximumLength: 80)
        static let guests = Field<Int>("guests", in: 1...12)
        static let newsletter = Field<Bool>("newsletter").whenAbsent(false)
    }

    // MARK: A format of texts

    private enum Article {
        static let format = TextFormat("article", example: "A-1204") { $0.hasPrefix("A-") }
        static let article = Field<String>("article", format: format)
    }

    // MARK: An output

    @Test func `an object is shown with its members`() {
        let line = Output<Line>("line")
        #expect(
            Command.render(line, Line(product: "tea", size: .small, count: 2))
                == .render("line", ["product": "tea", "size": "small", "count": 2])
        )
    }
}

enum Size: String, ChoiceValue { case small, medium, large }

struct Line: ObjectValue {
    var product: String, size: Size, count: Int

    static let object = ObjectSchema(
        Line.init(product:size:count:),
        Member("product", \.product),
        Member("size", \.size),
        Member(as: Field("count", in: 1...99), \.count)
    )
}

extension Message {
    static let noName = Message(code: "guestbook.noName", text: "Please write your name")
    static let wrongCode = Message(code: "door.wrongCode", text: "Wrong name or code")
}
