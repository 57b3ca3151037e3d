// The samples of the article "Test a page".
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Test func `a coupon is worth what the shop says`() async throws {
    let screen = TestControllable(CouponController(coupons: Coupons()))
    try await screen.send("redeemButtonPressed", ["code": "summer"])
    screen.expect(.render("loading", true), .render("message", .redeemed(10)), .render("loading", false))
}

@Test func `after three wrong coupons no other is tried`() async throws {
    let screen = TestControllable(CouponController(coupons: Coupons()), exhaustivity: .off)
    for _ in 1...3 {
        try await screen.send("redeemButtonPressed", ["code": "winter"])
        screen.expect(.render("message", .noSuchCoupon))
    }
    try await screen.send("redeemButtonPressed", ["code": "summer"])
    screen.expect(.showAlert(.tooManyCoupons))
}

struct BrokenCoupons: CouponStoring {
    func discount(of code: String) async throws -> Int? {
        throw CollaboratorError.unavailable(retryAfter: .seconds(5))
    }
}

@Test func `a coupon that cannot be looked up costs no attempt`() async throws {
    let controller = CouponController(coupons: BrokenCoupons())
    let screen = TestControllable(controller)
    await #expect(throws: CollaboratorError.unavailable(retryAfter: .seconds(5))) {
        try await screen.send("redeemButtonPressed", ["code": "summer"])
    }
    screen.expect(.render("loading", true), .render("loading", false))
    #expect(controller.state.failures == 0)
}

@Test func `failures stop counting after a quarter of an hour`() async throws {
    let clock = SteeredClock()
    let controller = LoginBusinessLogicController(credentials: FakeCredentials { _, _, _ in nil }, clock: clock)
    let screen = TestControllable(controller)
    for _ in 1...5 {
        try await screen.send("loginButtonPressed", ["username": "batman", "password": "joker"])
        screen.expect(.render("message", .wrongCredentials))
    }
    try await screen.send("loginButtonPressed", ["password": "joker"])
    screen.expect(.showAlert(.tooManyLoginAttempts))
    clock.advance(by: .seconds(15 * 60))
    try await screen.send("loginButtonPressed", ["password": "joker"])
    screen.expect(.render("message", .wrongCredentials))
}

@Test(arguments: Rehearsal.allCases)
func `a coupon is remembered until it is removed`(rehearsal: Rehearsal) async throws {
    try await rehearsal.play(couponPage) { screen in
        screen.exhaustivity = .off
        try await screen.send("redeemButtonPressed", ["code": "summer"])
        screen.expect(.render("message", .redeemed(10)))
        try await screen.send("removeButtonPressed")
        screen.expect(.render("message", .null))
        #expect(screen.values == ["code": "summer"])
    }
}
