import BusinessLogic
import Testing
import UnderstudyTesting

/// The smallest controller with a field that need not be sent, an output and a message.
private final class GuestbookController: BusinessLogicController {
    static let name = Field<String>("name")
    static let newsletter = Field<Bool>("newsletter", whenAbsent: false)
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
        render(Self.greeting, "Welcome \(name), you are guest \(state)" + (newsletter ? " and get our newsletter" : ""))
    }
}

extension Message {
    fileprivate static let noName = Message(code: "guestbook.noName", text: "Enter your name", field: "name")
}

@Suite struct GuestbookTests {
    private let screen = TestControllable(GuestbookController())

    @Test func `a guest signs with a ticked box and without one`() async throws {
        try await screen.send("signButtonPressed", ["name": "Lisa", "newsletter": true])
        screen.expect(GuestbookController.greeting, "Welcome Lisa, you are guest 1 and get our newsletter")
        try await screen.send("signButtonPressed", ["name": "Bart", "newsletter": false])
        screen.expect(GuestbookController.greeting, "Welcome Bart, you are guest 2")
    }

    @Test func `a box that was never ticked is absent`() async throws {
        try await screen.send("signButtonPressed", ["name": "Lisa"])
        screen.expect(GuestbookController.greeting, "Welcome Lisa, you are guest 1")
        #expect(screen.values == ["name": "Lisa"])
    }

    @Test func `a guest without a name is not counted`() async throws {
        try await screen.send("signButtonPressed", ["name": ""])
        screen.expect(.showAlert(.noName))
        await #expect(throws: EventError.missingField("name", fields: ["name", "newsletter"])) {
            try await TestControllable(GuestbookController()).send("signButtonPressed")
        }
        try await screen.send("signButtonPressed", ["name": "Lisa"])
        screen.expect(GuestbookController.greeting, "Welcome Lisa, you are guest 1")
    }
}
