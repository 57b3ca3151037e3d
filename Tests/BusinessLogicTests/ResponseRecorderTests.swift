struct ResponseRecorderTests {
    let recorder = ResponseRecorder(page: "probe")

    init() { recorder.eventable = ProbeController() }

    @Test func `renders, alerts and destinations are recorded in one order`() {
        recorder.render("title", "Products")
        recorder.showAlert(.probe)
        recorder.render("message", .wrongCredentials)
        recorder.goToPage("Home", ["number": 7])
        recorder.render("title", .null)
        recorder.expect([
            .render("title", "Products"), .showAlert(.probe), .render("message", .wrongCredentials),
            .goToPage("Home", ["number": 7]), .render("title", .null),
        ])
    }

    @Test func `rendered has the latest value of each key`() {
        recorder.render("title", "Products")
        recorder.render("message", .wrongCredentials)
        recorder.render("loading", true)
        recorder.render("loading", false)
        recorder.render("title", "Product")
        recorder.render("message", .null)
        #expect(recorder.rendered == ["title": "Product", "message": .null, "loading": false])
        #expect(recorder.rendered.map(\.name) == ["title", "message", "loading"])
    }

    @Test func `the next event clears the alert and the destination`() async throws {
        try await recorder.dispatchEvent("alerted")
        #expect(recorder.alert == .probe)
        try await recorder.dispatchEvent("left")
        #expect(recorder.alert == nil)
        #expect(recorder.destination?.name == "Elsewhere")
        #expect(recorder.destination?.values == ["number": 7])
        try await recorder.dispatchEvent("nothingRead")
        #expect(recorder.destination == nil)
        #expect(recorder.commands == [.showAlert(.probe), .goToPage("Elsewhere", ["number": 7])])
    }

    @Test(arguments: ["failed", "buttonPressed", "everythingRead"] as [Event])
    func `a failed or rejected event changes nothing, not even its fields`(event: Event) async throws {
        recorder.setValue("old", for: "note")
        recorder.render("title", "Probe")
        for before in ["alerted", "left"] as [Event] {
            try await recorder.dispatchEvent(before)
            let (state, kept) = (recorder.state, Array(recorder.history.kept))
            await #expect(throws: (any Error).self) {
                try await recorder.dispatchEvent(event, with: ["note": "new", "text": "a"])
            }
            #expect(recorder.state == state)
            #expect(Array(recorder.history.kept) == kept)
        }
        #expect(recorder.history.kept.map(\.sequence) == [1, 2, 3])
    }

    @Test func `during an event, rendered contains the commands so far`() async {
        recorder.render("title", .probe)
        recorder.showAlert(.probe)
        await #expect(throws: Outage.self) {
            try await recorder.runEvent(with: ["text": "a"]) {
                #expect(recorder.alert == nil)
                recorder.render("title", "Handling")
                recorder.goToPage("Elsewhere")
                #expect(recorder.rendered == ["title": "Handling"])
                #expect(recorder.renderedMessages == [])
                #expect(recorder.destination?.name == "Elsewhere")
                #expect(recorder.getValue("text") == "a")
                throw Outage()
            }
        }
    }

    @Test func `a field keeps its last value, and gives no command`() {
        recorder.setValue("batman", for: "username")
        recorder.setValue("robin", for: "username")
        recorder.setValue(.some(.null), for: "password")
        #expect(recorder.getValue("username") == "robin")
        #expect(recorder.getValue("password") == .some(.null))
        #expect(recorder.values == ["username": "robin", "password": .null])
        recorder.setValue(nil, for: "username")
        #expect(recorder.getValue("username") == Value?.none)
        #expect(recorder.values == ["password": .null])
        #expect(recorder.commands == [])
        #expect(recorder.rendered == [:])
    }

    @Test func `a screen without a controller ignores events`() async throws {
        let screen = ResponseRecorder()
        try await screen.dispatchEvent("anything")
        #expect(screen.commands == [])
    }

    @Test func `the commands of two screens that share a history are in one order`() async throws {
        let history = CommandHistory()
        let screens = ["first", "second"].map { ResponseRecorder(page: $0, history: history) }
        for screen in screens { screen.eventable = ProbeController() }
        for (screen, event) in zip(screens + screens, ["alerted", "left", "left", "alerted"] as [Event]) {
            try await screen.dispatchEvent(event)
        }
        let (alert, left) = (Command.showAlert(.probe), Command.goToPage("Elsewhere", ["number": 7]))
        let expected = [("first", alert), ("second", left), ("first", left), ("second", alert)]
        let entries = zip(1..., expected).map { CommandHistory.Entry(sequence: $0, page: $1.0, command: $1.1) }
        #expect(Array(history.kept) == entries)
        #expect(screens.map(\.commands) == [[alert, left], [left, alert]])
    }

    @Test func `commands above the limit are kept until the next event`() async throws {
        recorder.render("title", "Probe")
        try await recorder.dispatchEvent("chattered")
        #expect(recorder.history.sequence == 1001)
        let numbers = (1...1000).map { Command.render("number", Value($0)) }
        #expect(recorder.history.current(since: 1).map(\.command) == numbers)
        #expect(recorder.rendered == ["title": "Probe", "number": 1000])
        try await recorder.dispatchEvent("alerted")
        #expect(recorder.history.current(since: 1001).map(\.command) == [.showAlert(.probe)])
        #expect(recorder.commands == numbers.suffix(255) + [.showAlert(.probe)])
    }

    @Test func `a recorder's state can be restored in another one`() async throws {
        recorder.setValue("batman", for: "username")
        recorder.setValue(.some(.null), for: "note")
        recorder.render("message", .wrongCredentials)
        for event in ["alerted", "left"] as [Event] {
            try await recorder.dispatchEvent(event)
            let other = ResponseRecorder(page: "probe")
            other.state = try decoded(from: "\(recorder.state.stored)")
            #expect(other.state == recorder.state)
            #expect(other.rendered == recorder.rendered)
            #expect(other.alert == recorder.alert)
            #expect(other.destination == recorder.destination)
            #expect(other.values == recorder.values)
            #expect(other.commands == [])
        }
    }

    @Test func `the messages on the screen are those among what it shows`() async throws {
        recorder.render("message", .wrongCredentials)
        recorder.render("title", "Probe")
        recorder.render("note", .probe)
        recorder.render("message", .tooManyLoginAttempts)
        #expect(recorder.renderedMessages.map(\.key) == ["message", "note"])
        #expect(recorder.renderedMessages.map(\.message) == [.tooManyLoginAttempts, .probe])
        recorder.render("message", .null)
        recorder.render("note", "Probe")
        #expect(recorder.renderedMessages == [])
        #expect(recorder.rendered == ["message": .null, "title": "Probe", "note": "Probe"])
    }

    // MARK: What an event declares

    func run(
        _ row: EventRow<ProbeController>,
        checksValues: Bool = true,
        with values: Value.Object = [:]
    ) async throws {
        let controller = ProbeController()
        recorder.eventable = controller
        try await recorder.runEvent(row.declaration, checksValues: checksValues, with: values) {
            try await row.handle(controller, row.declaration)
        }
    }

    @Test func `an event that gives and reads only what it declares is reported as such`() async throws {
        for (index, row) in ProbeController.events.rows.enumerated().dropLast() {
            try await run(row, with: ProbeController.everything)
            #expect(recorder.undeclared == [], "event \(index)")
        }
        #expect(!recorder.commands.isEmpty)
    }

    @Test func `an undeclared command and an undeclared field are reported`() async throws {
        let row = EventRow<ProbeController>.event(
            "opened",
            reads: ProbeController.text,
            gives: [.renders(ProbeController.shownNumber)]
        ) { controller, text in
            _ = controller.controllable?.getValue("note")
            controller.controllable?.render("nmuber", 1)
            controller.controllable?.render("number", "1")
            controller.render(ProbeController.shownNumber, 1)
            controller.showAlert(.probe)
            controller.goToPage(.elsewhere, 7)
        }
        try await run(row, with: ["text": "a"])
        #expect(
            recorder.undeclared == [
                .field("note"), .command(.render("nmuber", 1)), .command(.render("number", "1")),
                .command(.showAlert(.probe)), .command(.goToPage("Elsewhere", ["number": 7])),
            ]
        )
        let subjects = [
            "getValue note", "render nmuber", "render number", "showAlert probe.alerted", "goToPage Elsewhere",
        ]
        #expect(recorder.undeclared.map(\.subject) == subjects)
        #expect(recorder.commands.count == 5)
        try await run(row, checksValues: false, with: ["text": "a"])
        #expect(recorder.undeclared.count == 4)
        try await recorder.dispatchEvent("nothingRead")
        #expect(recorder.undeclared == [])
    }

    @Test func `an undeclared use is explained with what the event declares`() {
        let declaration = ProbeController.events.declarations[3]
        #expect(
            UndeclaredUse.command(.showAlert(.wrongCredentials)).explanation(of: declaration)
                == "The event 'alerted' gave 'showAlert \"Wrong username or password\" (login.wrongCredentials)', which its "
                + "row does not declare. It declares: showAlert probe.alerted. Add it to 'gives'."
        )
        #expect(
            UndeclaredUse.command(.render("number", "1")).explanation(of: ProbeController.events.declarations[2])
                == "The event 'chattered' gave 'render number=\"1\"', whose value is of another type than its row declares. "
                + "It declares: render number: integer. Correct the value or 'gives'."
        )
        #expect(
            UndeclaredUse.field("note").explanation(of: declaration)
                == "The event 'alerted' read the field 'note', which its row does not declare. It declares no fields. "
                + "Add it to 'reads'."
        )
    }

    @Test func `between events, and without a declaration, a screen may be read`() async throws {
        try await recorder.runEvent(with: [:]) {
            _ = recorder.getValue("anything")
            recorder.render("anything", 1)
        }
        #expect(recorder.undeclared == [])
        try await run(ProbeController.events.rows[0])
        _ = recorder.getValue("anything")
        #expect(recorder.undeclared == [])
    }

    @Test func `an event starts without the undeclared uses of the one before`() async throws {
        let row = EventRow<ProbeController>.event("opened") { controller in
            _ = controller.controllable?.getValue("note")
            throw Outage()
        }
        await #expect(throws: Outage.self) { try await run(row) }
        #expect(recorder.undeclared == [.field("note")])
        try await run(ProbeController.events.rows[0])
        #expect(recorder.undeclared == [])
    }
}
