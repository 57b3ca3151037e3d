import BusinessLogic

/// Shows the orders of the session.
final class OrdersController: BusinessLogicController {
    static let orders = Output<[PlacedOrder]>("orders")

    static let events: EventTable<OrdersController> = [
        .default("viewDidLoad", gives: [.renders(orders)]) { $0.viewDidLoad() }.safe()
    ]

    typealias State = NoState

    weak var controllable: (any Controllable)?
    private let orders: Shared<[PlacedOrder]>

    init(orders: Shared<[PlacedOrder]>) {
        self.orders = orders
    }

    private func viewDidLoad() {
        render(Self.orders, orders.value)
    }
}
