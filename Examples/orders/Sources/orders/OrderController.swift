import BusinessLogic

/// Places an order, and shows its price.
final class OrderController: BusinessLogicController {
    static let lines = Field<[Line]>("lines", count: 1...20)
    static let day = Field<Day>("day", in: "2027-01-01"..."2027-12-31", description: "The day of the delivery.")
    static let placedLines = Output<[Line]>("lines")
    static let total = Output<Amount>("total")

    static let events: EventTable<OrderController> = [
        .default("orderButtonPressed", reads: lines, day, gives: [.renders(placedLines), .renders(total)]) {
            $0.order($1, on: $2)
        }
    ]

    typealias State = NoState

    weak var controllable: (any Controllable)?
    private let orders: Shared<[PlacedOrder]>
    private let clock: any WallClock

    init(orders: Shared<[PlacedOrder]>, clock: any WallClock) {
        self.orders = orders
        self.clock = clock
    }

    private func order(_ lines: [Line], on day: Day) {
        let total = lines.reduce(0) { $0 + $1.size.price * $1.count }
        // A session keeps the latest ones, because its memory is limited.
        orders.value = orders.value.suffix(9) + [PlacedOrder(lines: lines, day: day, total: total, placed: clock.now)]
        render(Self.placedLines, lines)
        render(Self.total, total)
    }
}
