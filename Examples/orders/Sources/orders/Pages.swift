import BusinessLogic
import Understudy

let orders = SessionValue<[PlacedOrder]>("orders", [])

func orderPages(clock: any WallClock = SystemClock()) -> [Page] {
    [
        Page("order") { OrderController(orders: $0[orders], clock: $0.recorded(clock)) },
        Page("orders") { OrdersController(orders: $0[orders]) },
    ]
}
