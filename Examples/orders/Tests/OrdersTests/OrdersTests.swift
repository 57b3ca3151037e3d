import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@testable import orders

@Suite struct OrdersTests {
    private let clock = ManualClock()
    private let tea = Line(product: "tea", size: .small, count: 2)
    private let cake = Line(product: "cake", size: .large, count: 1)

    @Test(arguments: Rehearsal.allCases)
    func `an order shows its lines and their price, and is in the list of orders`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(orderPages(clock: clock)) { screens in
            try await screens["order"].send("orderButtonPressed", order([tea, cake]))
            screens["order"].expect(OrderController.placedLines, [tea, cake])
            screens["order"].expect(OrderController.total, Amount(units: 850))

            try await screens["orders"].send("viewDidLoad")
            screens["orders"].expect(
                OrdersController.orders,
                [PlacedOrder(lines: [tea, cake], day: "2027-03-01", total: Amount(units: 850), placed: clock.now)]
            )
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `every fault of an order is reported with its pointer`(rehearsal: Rehearsal) async throws {
        let lines: Value = [["product": "", "size": "huge", "count": 100], ["size": "small"]]
        try await rehearsal.run(orderPages(clock: clock)) { screens in
            let error = await #expect(throws: EventError.self) {
                try await screens["order"].send("orderButtonPressed", ["lines": lines, "day": "tomorrow"])
            }
            guard case .invalidFields(let faults, _)? = error else { return }
            #expect(
                faults == [
                    FieldFault("lines", .tooShort(minimum: 1), pointer: "/lines/0/product"),
                    FieldFault("lines", .unknownChoice(["small", "medium", "large"]), pointer: "/lines/0/size"),
                    FieldFault("lines", .outOfRange(minimum: 1, maximum: 99), pointer: "/lines/0/count"),
                    FieldFault("lines", .missing, pointer: "/lines/1/product"),
                    FieldFault("lines", .missing, pointer: "/lines/1/count"),
                    FieldFault("day", .wrongType(ExpectedValue(.string, format: "date", example: "2027-03-01"))),
                ]
            )
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a session keeps its last ten orders`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(orderPages(clock: clock)) { screens in
            screens["order"].exhaustivity = .off
            for count in 1...12 {
                let line = Line(product: "tea", size: .medium, count: count)
                try await screens["order"].send("orderButtonPressed", order([line]))
            }
            try await screens["orders"].send("viewDidLoad")
            screens["orders"].expect(
                OrdersController.orders,
                (3...12).map {
                    let line = Line(product: "tea", size: .medium, count: $0)
                    return PlacedOrder(
                        lines: [line],
                        day: "2027-03-01",
                        total: Amount(units: 300) * $0,
                        placed: clock.now
                    )
                }
            )
        }
    }

    @Test func `orders are cheaper in small cups`() async throws {
        let values = SessionValues()
        let controller = OrderController(orders: values[orders], clock: clock)
        let screen = TestControllable(controller, sessionValues: values)
        try await screen.send("orderButtonPressed", order([tea]))
        screen.expect(.render(OrderController.placedLines, [tea]), .render(OrderController.total, Amount(units: 500)))
        #expect(values[orders].value.map(\.total) == [Amount(units: 500)])
    }

    @Test(arguments: [("choice.large", "Groß"), ("label.day", "Liefertag"), ("event.orderButtonPressed", "Bestellen")])
    func `the page has German texts`(key: String, text: String) throws {
        let translations = try Translations(catalog: PackageResources.Localizable_xcstrings)
        #expect(translations.text(of: Message(code: key, text: key), in: "de-AT") == text)
    }

    private func order(_ lines: [Line]) -> Value.Object {
        ["lines": lines.screenValue, "day": "2027-03-01"]
    }
}
