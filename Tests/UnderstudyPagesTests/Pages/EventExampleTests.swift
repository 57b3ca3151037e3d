struct EventExampleTests {
    @Test(arguments: [
        ("misspelt", #"{"cod":"a\nb"}"#, "has a field 'cod', which the event does not read; it reads: code"),
        ("forgotten", #"{"code":"a"}"#, "lacks the field 'name', which the event reads; it reads: code, name"),
        ("spelt", #"{"days":"three"}"#, "is invalid: The field 'days' must be a number, such as 1."),
        ("needless", #"{"code":"a"}"#, "has a field 'code', which the event does not read; it reads no fields"),
    ])
    func `an example that does not fit its event is reported`(event: String, example: String, fault: String) throws {
        let error = try #require(throws: EventExampleError.self) {
            try Page("clumsy", ClumsyController()).examples(of: [Event(event)])
        }
        #expect(error.event == Event(event))
        #expect(error.description == "the example \(example) of the event '\(event)' \(fault)")
    }

    @Test func `an event without examples gets values of the declared kinds`() throws {
        let examples = try FormController.page.examples(of: ["entered"])
        #expect(examples.map(\.values) == [["age": 1, "agrees": true, "name": "text", "pin": "text"]])
    }
}

/// A controller whose examples do not fit.
private struct ClumsyController: Script {
    static let code = Field<String>("code")

    static let events: Events = [
        .default("misspelt", reads: code, examples: [["code": "a"], ["cod": "a\nb"]]) { _, _ in },
        .event("forgotten", reads: code, Field<String?>("name"), examples: [["code": "a"]]) { _, _, _ in },
        .event("spelt", reads: Field<Double>("days"), examples: [["days": "three"]]) { _, _ in },
        .event("needless", examples: [["code": "a"]]) { _ in },
    ]
}
