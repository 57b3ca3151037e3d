struct HandlerTests {
    /// Renders what its handlers receive.
    struct Orders: Script {
        static let name = Field<String>("name", maximumLength: 40)
        static let phone = Field<PhoneNumber>("phone")
        static let count = Field<Int>("count").whenAbsent(1)
        static let price = Field<Double?>("price")
        static let isGift = Field<Bool>("isGift").whenAbsent(false)
        static let received = Output<Value>("received")

        static let events: Events = [
            .event("none", gives: [.renders(received)]) { show($0) },
            .event("one", reads: name, gives: [.renders(received)]) { show($0, $1) },
            .event("two", reads: name, count, gives: [.renders(received)]) { show($0, $1, $2) },
            .event("three", reads: count, price, isGift, gives: [.renders(received)]) { show($0, $1, $2, $3) },
            .default("five", reads: name, phone, count, price, isGift, gives: [.renders(received)]) {
                show($0, $1, $2, $3, $4, $5)
            },
        ]

        static func show(_ controller: Scripted<Orders>, _ values: any ScreenValue...) {
            controller.render(received, .array(values.map(\.screenValue)))
        }
    }

    let recorder = ResponseRecorder(page: "order")
    let fields = ["name", "phone", "count", "price", "isGift"]

    init() { recorder.eventable = Scripted(Orders()) }

    @Test(
        arguments: [
            ("none", []), ("one", ["Lisa"]), ("two", ["Lisa", 2]), ("three", [2, 3.0, true]),
            ("five", ["Lisa", "+4930123456", 2, 3.0, true]),
        ] as [(Event, Value)]
    )
    func `a handler receives the fields that it reads, in their order and types`(event: Event, values: Value)
        async throws
    {
        try await recorder.dispatchEvent(
            event,
            with: ["isGift": true, "price": 3, "count": 2.0, "phone": "+49 30 123456", "name": "Lisa"]
        )
        #expect(recorder.commands == [.render("received", values)])
    }

    @Test func `absent fields have their declared values`() async throws {
        let values: Value.Object = ["name": "Lisa", "phone": "+49 30 123456", "price": .null]
        try await recorder.dispatchEvent("five", with: values)
        #expect(recorder.commands == [.render("received", ["Lisa", "+4930123456", 1, .null, false])])
        #expect(recorder.values == values)
    }

    @Test(
        arguments: [
            ("name", 1, ExpectedValue(.string, example: "text")),
            ("phone", "030 123456", ExpectedValue(.string, format: "phone", example: "+49 30 123456")),
            ("phone", .null, ExpectedValue(.string, format: "phone", example: "+49 30 123456")),
            ("count", 1.5, ExpectedValue(.integer, example: 1)), ("count", .null, ExpectedValue(.integer, example: 1)),
            ("price", "1.5", ExpectedValue(.number, example: 1)),
            ("isGift", "on", ExpectedValue(.boolean, example: true)),
        ] as [(String, Value, ExpectedValue)]
    )
    func `a wrong value is rejected with what is expected, before the handler runs`(
        field: String,
        value: Value,
        expected: ExpectedValue
    ) async throws {
        var values: Value.Object = ["name": "Lisa", "phone": "+49 30 123456", "price": .null]
        values[field] = value
        await #expect(throws: EventError.wrongFieldType(field, expected: expected, fields: fields)) {
            try await recorder.dispatchEvent("five", with: values)
        }
        #expect(recorder.commands == [])
        #expect(recorder.values == [:])
    }
}
