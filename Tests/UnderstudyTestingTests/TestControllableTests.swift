/// A controller that gives a requested number of commands.
private final class ChattyController: StatelessController, BusinessLogicController {
    static let number = Output<Int>("number")
    static let pin = Field<String>("pin", isSecret: true)

    static let events: EventTable<ChattyController> = [
        .default("counted", reads: Field<Int>("upTo"), gives: [.renders(number)]) { controller, last in
            for index in 0..<last { controller.render(number, index + 1) }
        },
        .event("alerted", reads: pin, gives: [.alerts(.chat)]) { controller, _ in controller.showAlert(.chat) },
        .event("hushed", reads: pin) { _, _ in },
    ]
}

/// Logic that does not declare its events.
private final class PlainLogic: Eventable {
    weak var controllable: (any Controllable)?

    func dispatchEvent(_ event: Event) async throws {
        controllable?.render("anything", controllable?.getValue("anything") ?? .null)
    }
}

extension Message {
    fileprivate static let chat = Message(code: "chat.alerted", text: "Chat", parameters: ["times": 1])
}

struct TestControllableTests {
    let screen = TestControllable(ChattyController())

    func count(_ upTo: Int) async throws { try await screen.send("counted", ["upTo": .number(.integer(upTo))]) }

    static func number(_ number: Int) -> Command { .render("number", Value(number)) }

    /// Expects `body` to report exactly that failure at that line.
    func expectFailure(
        _ text: String,
        line: Int = #line,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async throws {
        try await withKnownIssue(sourceLocation: sourceLocation) {
            try await body()
        } matching: {
            $0.comments.map(\.rawValue) == [text] && $0.sourceLocation?.line == line
        }
    }

    @Test func `expected commands pass and change the screen`() async throws {
        try await count(2)
        screen.expect(Self.number(1), Self.number(2))
        try await screen.send("alerted", ["pin": "0000"])
        screen.expect(.showAlert(.chat))
        #expect(screen.rendered == ["number": 2])
        #expect(screen.alert == .chat)
        screen.finish()
    }

    @Test func `a wrong command fails with the difference`() async throws {
        let difference = """
            The commands differ from the expected ones.

              [
            -   [0]: .goToPage(
            -     name: "Home",
            -     values: [:]
            -   )
            +   [0]: .showAlert(
            +     Message(
            +       code: "chat.alerted",
            +       text: "Chat",
            +       parameters: [
            +         "times": 1
            +       ]
            +     )
            +   )
              ]

            (Expected: -, received: +)
            """
        try await screen.send("alerted", ["pin": "0000"])
        try await expectFailure(difference) { screen.expect(.goToPage("Home")) }
    }

    @Test func `missing, additional and reordered commands fail`() async throws {
        try await count(2)
        withKnownIssue { screen.expect() }
        try await count(2)
        withKnownIssue { screen.expect(Self.number(1)) }
        try await count(2)
        withKnownIssue { screen.expect(Self.number(2), Self.number(1)) }
        try await count(2)
        withKnownIssue { screen.expect(Self.number(1), Self.number(2), Self.number(3)) }
        screen.finish()
    }

    @Test func `unexpected commands fail at the line of their event when the next event is sent`() async throws {
        let difference = """
            There are unexpected commands.

              [
            +   [0]: .render(
            +     key: "number",
            +     value: 1
            +   )
              ]

            (Expected: -, received: +)
            """
        let line = #line + 1
        try await screen.send("counted", ["upTo": 1])
        try await expectFailure(difference, line: line) { try await count(0) }
        screen.finish()
    }

    @Test func `unexpected commands fail once when the test finishes`() async throws {
        try await count(1)
        withKnownIssue { screen.finish() }
        screen.finish()
    }

    @Test func `unexpected commands fail when the screen is released`() async throws {
        var screen: TestControllable? = TestControllable(ChattyController())
        try await screen?.send("counted", ["upTo": 1])
        withKnownIssue { screen = nil }
        #expect(screen == nil)
    }

    @Test func `without exhaustivity, other commands may arrive before and between the expected ones`() async throws {
        screen.exhaustivity = .off
        try await count(5)
        screen.expect(Self.number(2), Self.number(4))
        screen.expect(Self.number(5))
        try await count(3)
        try await count(3)
        screen.expect(Self.number(1))
        screen.finish()
    }

    @Test func `without exhaustivity, commands out of order and skipped commands fail`() async throws {
        screen.exhaustivity = .off
        try await count(3)
        withKnownIssue { screen.expect(Self.number(2), Self.number(1)) }
        screen.expect(Self.number(2))
        withKnownIssue { screen.expect(Self.number(1)) }
    }

    @Test func `fields keep their values except secrets`() async throws {
        screen.setValue(1, for: "upTo")
        try await screen.send("counted")
        screen.expect(Self.number(1))
        try await screen.send("alerted", ["pin": "0000"])
        screen.expect(.showAlert(.chat))
        #expect(screen.values == ["upTo": 1])
        await #expect(throws: EventError.missingField("pin", fields: ["pin"])) { try await screen.send("alerted") }
    }

    @Test func `a field that no event reads fails the test where it is filled in`() async throws {
        let text = "No event reads the field 'nonsense'. They read: upTo, pin."
        try await expectFailure(text) { try await screen.send("counted", ["upTo": 0, "nonsense": 1]) }
        try await expectFailure(text) { screen.setValue("", for: "nonsense") }
        try await expectFailure(text) { screen.setValue(nil, for: "nonsense") }
        screen.setValue("0000", for: "pin")
        screen.finish()
    }

    @Test func `any field fails the test if the events read no fields`() async throws {
        let screen = TestControllable(BellController())
        let text = "No event reads the field 'nonsense'. The events read no fields."
        try await expectFailure(text) { screen.setValue(1, for: "nonsense") }
    }

    @Test func `logic without declared events may read any field`() async throws {
        let screen = TestControllable(PlainLogic())
        try await screen.send("shown", ["anything": 1])
        screen.expect(.render("anything", 1))
    }
}
