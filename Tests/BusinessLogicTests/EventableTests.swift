struct EventableTests {
    let controller = ProbeController()
    let recorder = ResponseRecorder(page: "probe")

    init() {
        recorder.eventable = controller
        for (name, value) in ProbeController.everything { recorder.setValue(value, for: name) }
    }

    @Test func `an event that reads nothing needs no fields`() async throws {
        for (name, _) in ProbeController.everything { recorder.setValue(nil, for: name) }
        try await recorder.dispatchEvent("nothingRead")
        #expect(controller.state == 1)
    }

    @Test func `a failed event is discarded, and its error reaches the caller`() async throws {
        try await recorder.dispatchEvent("everythingRead")
        await #expect(throws: Outage()) { try await recorder.dispatchEvent("failed") }
        #expect(controller.state == 1)
        #expect(recorder.commands == [])
    }

    static let fields = ["text", "number", "boolean", "note", "pin"]

    @Test(arguments: fields)
    func `an event with a missing field is rejected, and nothing runs`(field: String) async {
        recorder.setValue(nil, for: field)
        await #expect(throws: EventError.missingField(field, fields: Self.fields)) {
            try await recorder.dispatchEvent("everythingRead")
        }
        #expect(controller.state == 0)
        #expect(recorder.commands == [])
    }

    @Test func `without a screen, an event lacks all its fields, and commands do nothing`() async throws {
        let lonely = ProbeController()
        let faults = Self.fields.map { FieldFault($0, .missing) }
        await #expect(throws: EventError.invalidFields(faults, fields: Self.fields)) {
            try await lonely.dispatchEvent("everythingRead")
        }
        for event in ["chattered", "alerted", "left"] as [Event] { try await lonely.dispatchEvent(event) }
        #expect(lonely.state == 0)
    }
}
