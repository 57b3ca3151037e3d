// The samples of the article "Test a page".
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Test func `a coupon shows its discount`() async throws {
    let screen = TestControllable(CouponController(coupons: Coupons(), clock: ManualClock()))
    try await screen.send("redeemButtonPressed", ["code": "summer"])
    screen.expect(CouponController.loading, true)
    screen.expect(CouponController.notice, .redeemed(10))
    screen.expect(CouponController.loading, false)
}

@Test func `three wrong coupons block the page for ten minutes`() async throws {
    let clock = ManualClock()
    let controller = CouponController(coupons: Coupons(), clock: clock)
    let screen = TestControllable(controller, exhaustivity: .off)
    for _ in 1...3 {
        try await screen.send("redeemButtonPressed", ["code": "winter"])
        screen.expect(CouponController.notice, .noSuchCoupon)
    }
    try await screen.send("redeemButtonPressed", ["code": "summer"])
    screen.expect(.showAlert(.tooManyCoupons))
    clock.advance(by: .seconds(600))
    try await screen.send("redeemButtonPressed")
    screen.expect(CouponController.notice, .redeemed(10))
}

struct BrokenCoupons: CouponStoring {
    func discount(of code: String) async throws -> Int? {
        throw CollaboratorError.unavailable(retryAfter: .seconds(5))
    }
}

@Test func `a coupon that cannot be looked up does not count as an attempt`() async throws {
    let controller = CouponController(coupons: BrokenCoupons(), clock: ManualClock())
    let screen = TestControllable(controller)
    await #expect(throws: CollaboratorError.unavailable(retryAfter: .seconds(5))) {
        try await screen.send("redeemButtonPressed", ["code": "summer"])
    }
    screen.expect()
    #expect(controller.state.failures == 0)
}

@Test func `a redeemed coupon allows a draw`() async throws {
    let random = SequenceRandom()
    let controller = CouponController(coupons: Coupons(), clock: ManualClock(), random: random)
    let screen = TestControllable(controller, exhaustivity: .off)
    try await screen.send("drawButtonPressed")
    screen.expect(.showAlert(.noCouponYet))
    try await screen.send("redeemButtonPressed", ["code": "summer"])
    random.give(42, in: 1...1000)
    try await screen.send("drawButtonPressed")
    screen.expect(CouponController.ticket, 42)
}

@Test(arguments: Rehearsal.allCases)
func `a redeemed coupon is remembered`(rehearsal: Rehearsal) async throws {
    try await rehearsal.run(recordedCouponPage) { screen in
        screen.exhaustivity = .off
        try await screen.send("redeemButtonPressed", ["code": "summer"])
        screen.expect(CouponController.notice, .redeemed(10))
        try await screen.send("redeemButtonPressed", ["code": "winter"])
        screen.expect(CouponController.notice, .noSuchCoupon)
        try await screen.send("drawButtonPressed")
        #expect(screen.rendered["ticket"] != nil)
    }
}
