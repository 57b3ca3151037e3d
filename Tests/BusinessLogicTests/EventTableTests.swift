struct EventTableTests {
    @Test func `an event is found by its name`() throws {
        let events = ProbeController.events.rows.map(\.declaration.event)
        #expect(events == ["nothingRead", "everythingRead", "chattered", "alerted", "left", "failed"])
        #expect(try events.map { try ProbeController.events.index(of: $0) } == Array(events.indices))
    }

    @Test(arguments: ["", "everythingread", "everythingRead ", "nothing"])
    func `an undeclared event is not found`(name: String) {
        let events = ProbeController.events.declarations.map(\.event)
        #expect(throws: EventError.unknownEvent(Event(name), events: events)) {
            try ProbeController.events.index(of: Event(name))
        }
    }

    @Test func `a row has the declared fields and commands`() {
        let declarations = ProbeController.events.declarations
        #expect(declarations == ProbeController.events.rows.map(\.declaration))
        let fields = ["text", "number", "boolean", "note", "pin"]
        #expect(declarations.map { $0.reads.map(\.name) } == [[], fields, [], [], [], []])
        #expect(declarations.filter(\.isDefault).map(\.event) == ["everythingRead"])
        let number = ["render number: integer"]
        #expect(
            declarations.map { $0.gives.map(\.description) } == [
                [], [], number, ["showAlert probe.alerted"], ["goToPage Elsewhere with number"], number,
            ]
        )
    }

    @Test func `a declaration finds its fields by their bytes`() {
        let row = EventRow<ProbeController>.event("entered", reads: Field<String>("caf\u{E9}")) { _, _ in }
        #expect(row.declaration.reads("caf\u{E9}"))
        #expect(!row.declaration.reads("cafe\u{301}"))
    }

    @Test func `a table without one default event, or with an event twice, stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = EventTable<ProbeController>(arrayLiteral: .event("a") { _ in })
        }
        await #expect(processExitsWith: .failure) {
            _ = EventTable<ProbeController>(arrayLiteral: .default("a") { _ in }, .default("b") { _ in })
        }
        await #expect(processExitsWith: .failure) {
            _ = EventTable<ProbeController>(arrayLiteral: .default("a") { _ in }, .event("a") { _ in })
        }
    }
}
