/// Fields with types, which the service declares and the client sends.
struct TypedFieldTests {
    @Test func `a value that the screen no longer contains is absent, although the page has kept it`() async throws {
        try await withService([ParcelController.page]) { transport in
            let screen = screen("parcel", in: RemoteSession(over: transport))
            try await screen.send("weighed", ["grams": 500, "fragile": true, "note": "vase"])
            screen.setValue(nil, for: "fragile")
            screen.setValue(nil, for: "note")
            try await screen.send("weighed")
            #expect(
                screen.commands == [
                    .render("label", "500 g, fragile: true, note: vase"),
                    .render("label", "500 g, fragile: false, note: none"),
                ]
            )
        }
    }

    @Test func `a whole number is sent to an integer field without a fraction, and another one is an error`()
        async throws
    {
        try await withService([ParcelController.page]) { transport in
            let screen = screen("parcel", in: RemoteSession(over: transport))
            try await screen.send("weighed", ["grams": .number(.double(2))])
            let sent = #"{"event":"weighed","values":{"grams":2,"fragile":false,"note":null}}"#
            #expect(transport.requests.value.last?.body.text == sent)
            let (expected, fields) = (ExpectedValue(.integer, example: 1), ["grams", "fragile", "note"])
            await #expect(throws: EventError.wrongFieldType("grams", expected: expected, fields: fields)) {
                try await screen.send("weighed", ["grams": .number(.double(2.5))])
            }
        }
    }

    @Test func `lists, objects, choices and days are sent and shown as they are`() async throws {
        try await withService([OrderController.page]) { transport in
            let screen = screen("order", in: RemoteSession(over: transport))
            let tea: Value = ["product": "tea", "size": "small", "count": .number(.double(2)), "isHot": true]
            try await screen.send("orderButtonPressed", ["lines": [tea], "day": "2027-03-01"])
            #expect(
                screen.commands == [
                    .render("lines", [["product": "tea", "size": "small", "count": 2, "isHot": true]]),
                    .render("total", 5.0), .render("delivery", "2027-03-01T09:00:00Z"),
                ]
            )
        }
    }

    @Test func `the faults of a value are those of the local controller, with the same pointers`() async throws {
        let fields = ["lines", "day", "note", "tags", "gift"]
        let values: Value.Object = [
            "lines": [["product": "", "size": "huge", "count": 100], 1], "day": "2028-01-01", "tags": "x",
        ]
        let local = ResponseRecorder()
        local.eventable = OrderController()
        let error = await #expect(throws: EventError.self) {
            try await local.dispatchEvent("orderButtonPressed", with: values)
        }
        guard case .invalidFields(let faults, fields) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(faults.count == 6)
        try await withService([OrderController.page]) { transport in
            let screen = screen("order", in: RemoteSession(over: transport))
            let values = values
            let remote = await #expect(throws: EventError.self) { try await screen.send("orderButtonPressed", values) }
            #expect(remote == error)
        }
    }
}

/// A controller with a field that must be present, and fields that may be absent.
private struct ParcelController: Script {
    static let grams = Field<Int>("grams")
    static let fragile = Field<Bool>("fragile").whenAbsent(false)
    static let note = Field<String?>("note").whenAbsent(nil)
    static let label = Output<String>("label")

    static let events: EventTable<Scripted<ParcelController>> = [
        .default("weighed", reads: grams, fragile, note, gives: [.renders(label)]) {
            $0.render(label, "\($1) g, fragile: \($2), note: \($3 ?? "none")")
        }
    ]

    static let page = Page("parcel", ParcelController())
}
