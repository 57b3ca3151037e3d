// The page of the articles "Write a page", "Test a page" and "Replay a bug report".
import BusinessLogic
import Understudy

final class CouponController: BusinessLogicController {
    static let events: EventTable<CouponController> = [
        .default(
            "redeemButtonPressed",
            reads: ["code"],
            examples: [["code": "summer"], ["code": "winter"]]
        ) { try await $0.redeem() },
        .event("removeButtonPressed") { $0.remove() },
    ]

    weak var controllable: (any Controllable)?
    var state = State()
    private let coupons: any CouponStoring

    init(coupons: any CouponStoring) {
        self.coupons = coupons
    }

    struct State: Codable {
        var code: String?
        var failures = 0
    }

    private func redeem() async throws {
        guard state.failures < 3 else {
            controllable?.showAlert(.tooManyCoupons)
            return
        }
        let code = (text("code") ?? "").uppercased()
        controllable?.render("loading", true)
        defer { controllable?.render("loading", false) }
        guard let discount = try await coupons.discount(of: code) else {
            state.failures += 1
            controllable?.render("message", .noSuchCoupon)
            return
        }
        state = State(code: code)
        controllable?.render("message", .redeemed(discount))
    }

    private func remove() {
        state.code = nil
        controllable?.render("message", .null)
    }
}

extension Message {
    static let noSuchCoupon = Message(code: "coupon.none", text: "There is no such coupon")
    static let tooManyCoupons = Message(code: "coupon.tooMany", text: "Please try again tomorrow")

    static func redeemed(_ discount: Int) -> Message {
        Message(
            code: "coupon.redeemed",
            text: "You save \(discount) %",
            parameters: ["discount": Value(discount)]
        )
    }
}

/// Knows what the coupons are worth.
protocol CouponStoring: Sendable {
    /// The discount in percent; `nil` where there is no such coupon.
    func discount(of code: String) async throws -> Int?
}

struct Coupons: CouponStoring {
    func discount(of code: String) async throws -> Int? { code == "SUMMER" ? 10 : nil }
}

let couponPage = Page("coupon") { _ in CouponController(coupons: Coupons()) }
