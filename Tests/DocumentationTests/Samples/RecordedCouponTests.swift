import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Test func `the session summer goes as it was recorded`() async throws {
    let session = RecordedSession([recordedCouponPage])

    // Event 1
    session.results = [.from("coupons", 10)]
    try await session["coupon"].send("redeemButtonPressed", ["code": "summer"])
    session["coupon"].expect(
        .render("loading", true),
        .render("notice", Message(code: "coupon.redeemed", text: "You save 10 %", parameters: ["discount": 10])),
        .render("loading", false)
    )

    session.finish()
}
