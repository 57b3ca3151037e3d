// The controller of the articles "Write a page", "Test a page", "Embed the service" and "Replay a bug report".
import BusinessLogic

final class CouponController: BusinessLogicController {
    static let code = Field<String>("code", description: "The code of a coupon.")
    static let loading = Output<Bool>("loading")
    static let notice = Output<Message>("notice")
    static let ticket = Output<Int>("ticket")

    static let events: EventTable<CouponController> = [
        .default(
            "redeemButtonPressed",
            reads: code,
            gives: [.renders(loading), .renders(notice, .noSuchCoupon, .redeemed(10)), .alerts(.tooManyCoupons)],
            examples: [["code": "summer"], ["code": "winter"]]
        ) { try await $0.redeem($1) },
        .event("drawButtonPressed", gives: [.renders(ticket), .alerts(.noCouponYet)]) { $0.draw() },
    ]

    weak var controllable: (any Controllable)?
    var state = State()

    private let coupons: any CouponStoring
    private let clock: any WallClock
    private var random: any RandomNumberGenerator & Sendable

    init(
        coupons: any CouponStoring,
        clock: any WallClock,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.coupons = coupons
        self.clock = clock
        self.random = random
    }

    struct State: Codable {
        var code: String?
        var failures = 0
        var pausedUntil: Timestamp?
    }

    private func redeem(_ code: String) async throws {
        if let pausedUntil = state.pausedUntil, clock.now < pausedUntil { return showAlert(.tooManyCoupons) }
        render(Self.loading, true)
        defer { render(Self.loading, false) }
        guard let discount = try await coupons.discount(of: code.uppercased()) else { return reject() }
        state = State(code: code.uppercased())
        render(Self.notice, .redeemed(discount))
    }

    private func reject() {
        state.failures += 1
        if state.failures == 3 { state = State(code: state.code, pausedUntil: clock.now + .seconds(600)) }
        render(Self.notice, .noSuchCoupon)
    }

    private func draw() {
        guard state.code != nil else { return showAlert(.noCouponYet) }
        render(Self.ticket, Int.random(in: 1...1000, using: &random))
    }
}

extension Message {
    static let noSuchCoupon = Message(code: "coupon.none", text: "There is no such coupon", field: "code")
    static let tooManyCoupons = Message(code: "coupon.tooMany", text: "Please try again later")
    static let noCouponYet = Message(code: "coupon.notYet", text: "Please redeem a coupon first")

    static func redeemed(_ discount: Int) -> Message {
        .notice(
            code: "coupon.redeemed",
            text: "You save \(discount) %",
            parameters: ["discount": Value(discount)]
        )
    }
}

/// A collaborator that stores coupons.
protocol CouponStoring: Sendable {
    /// Returns the discount in percent; `nil` if there is no such coupon.
    func discount(of code: String) async throws -> Int?
}

struct Coupons: CouponStoring {
    func discount(of code: String) async throws -> Int? { code == "SUMMER" ? 10 : nil }
}
