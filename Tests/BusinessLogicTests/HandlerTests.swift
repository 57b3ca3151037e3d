import BusinessLogic
import TestSupport
import Testing

/// A controller as an embedder writes it: with a field of a type of its own, a list and an object.
private final class OrderController: BusinessLogicController {
    static let name = Field<String>("name", maximumLength: 40, description: "The name of the guest.")
    static let phone = Field<PhoneNumber>("phone")
    static let count = Field<Int>("count", whenAbsent: 1)
    static let price = Field<Double?>("price")
    static let isGift = Field<Bool>("isGift", whenAbsent: false)

    static let orders = Output<[Order]>("orders")
    static let total = Output<Double?>("total")
    static let message = Output<Message?>("message")

    static let events: EventTable<OrderController> = [
        .event("viewDidLoad", gives: [.renders(orders), .renders(total)]) { $0.show() },
        .event("nameEntered", reads: name, gives: [.renders(message, .noName)]) { $0.check(name: $1) },
        .event("cancelButtonPressed", reads: name, count, gives: [.renders(orders), .alerts(.cancelled)]) {
            $0.cancel(name: $1, count: $2)
        },
        .event("priceEntered", reads: count, price, isGift, gives: [.renders(total)]) {
            $0.show(count: $1, price: $2, isGift: $3)
        },
        .default(
            "orderButtonPressed",
            reads: name,
            phone,
            count,
            price,
            isGift,
            gives: [.renders(orders), .renders(message, .noName), .alerts(.ordered), .goes(to: .receipt)],
            examples: [
                ["name": "Lisa", "phone": "+49 30 123456", "count": 2, "price": 1.5, "isGift": true],
                ["name": "", "phone": "+49 30 123456", "count": 2, "price": .null, "isGift": false],
            ]
        ) { try await $0.order(name: $1, phone: $2, count: $3, price: $4, isGift: $5) },
    ]

    struct Order: Codable, Equatable, ObjectValue {
        let name: String
        var count: Int

        static let object = ObjectSchema(
            Order.init(name:count:),
            Member("name", \.name),
            Member("count", \.count)
        )
    }

    weak var controllable: (any Controllable)?
    var state: [Order] = []

    private func show() {
        render(Self.orders, state)
        render(Self.total, nil)
    }

    private func check(name: String) {
        render(Self.message, name.isEmpty ? .noName : nil)
    }

    private func cancel(name: String, count: Int) {
        state.removeAll { $0.name == name && $0.count == count }
        render(Self.orders, state)
        showAlert(.cancelled)
    }

    private func show(count: Int, price: Double?, isGift: Bool) {
        render(Self.total, isGift ? 0 : price.map { $0 * Double(count) })
    }

    private func order(name: String, phone: PhoneNumber, count: Int, price: Double?, isGift: Bool) async throws {
        guard !name.isEmpty else { return render(Self.message, .noName) }
        state.append(Order(name: name, count: count))
        render(Self.orders, state)
        showAlert(.ordered)
        goToPage(.receipt, name, phone)
    }
}

extension Message {
    fileprivate static let noName = Message(code: "order.noName", text: "Enter your name", field: "name")
    fileprivate static let ordered = Message.notice(code: "order.ordered", text: "Thank you")
    fileprivate static let cancelled = Message.notice(code: "order.cancelled", text: "Your order is cancelled")
}

extension Destination where Values == (String, PhoneNumber) {
    fileprivate static var receipt: Destination {
        Destination("receipt", OrderController.name, OrderController.phone)
    }
}

@Suite struct HandlerTests {
    private let controller = OrderController()
    private let recorder = ResponseRecorder(page: "order")

    init() {
        recorder.eventable = controller
    }

    @Test func `a handler without fields receives only its controller`() async throws {
        try await recorder.dispatchEvent("viewDidLoad")
        #expect(recorder.commands == [.render("orders", []), .render("total", .null)])
    }

    @Test func `a handler receives one field`() async throws {
        try await recorder.dispatchEvent("nameEntered", with: ["name": ""])
        try await recorder.dispatchEvent("nameEntered", with: ["name": "Lisa"])
        #expect(recorder.commands == [.render("message", .noName), .render("message", .null)])
    }

    @Test func `a handler receives two fields`() async throws {
        controller.state = [.init(name: "Lisa", count: 1), .init(name: "Lisa", count: 2)]
        try await recorder.dispatchEvent("cancelButtonPressed", with: ["name": "Lisa", "count": 2])
        #expect(controller.state == [.init(name: "Lisa", count: 1)])
    }

    @Test func `a handler receives three fields`() async throws {
        try await recorder.dispatchEvent("priceEntered", with: ["count": 2, "price": 1.5, "isGift": false])
        try await recorder.dispatchEvent("priceEntered", with: ["count": 2.0, "price": 3, "isGift": false])
        try await recorder.dispatchEvent("priceEntered", with: ["price": .null])
        try await recorder.dispatchEvent("priceEntered", with: ["isGift": true])
        #expect(recorder.commands == [3.0, 6.0, .null, 0.0].map { .render("total", $0) })
    }

    @Test func `a handler receives five fields of five types`() async throws {
        try await recorder.dispatchEvent(
            "orderButtonPressed",
            with: ["name": "Lisa", "phone": "+49 30 123456", "count": 2, "price": 1.5, "isGift": true]
        )
        recorder.expect([
            .render("orders", [["name": "Lisa", "count": 2]]), .showAlert(.ordered),
            .goToPage("receipt", ["name": "Lisa", "phone": "+4930123456"]),
        ])
    }

    @Test func `absent fields have their declared values`() async throws {
        try await recorder.dispatchEvent(
            "orderButtonPressed",
            with: ["name": "Lisa", "phone": "+49 30 123456", "price": .null]
        )
        #expect(controller.state == [.init(name: "Lisa", count: 1)])
        #expect(recorder.values == ["name": "Lisa", "phone": "+49 30 123456", "price": .null])
    }

    @Test func `an optional field must be sent once`() async throws {
        let fields = ["name", "phone", "count", "price", "isGift"]
        await #expect(throws: EventError.missingField("price", fields: fields)) {
            try await recorder.dispatchEvent("orderButtonPressed", with: ["name": "Lisa", "phone": "+49 30 123456"])
        }
        #expect(controller.state == [])
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
        let fields = ["name", "phone", "count", "price", "isGift"]
        await #expect(throws: EventError.wrongFieldType(field, expected: expected, fields: fields)) {
            try await recorder.dispatchEvent("orderButtonPressed", with: values)
        }
        #expect(controller.state == [])
        #expect(recorder.commands == [])
        #expect(recorder.values == [:])
    }
}
