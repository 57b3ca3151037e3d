/// A page whose fields and outputs have structure: an order of up to 20 lines.
package final class OrderController: BusinessLogicController {
    package static let lines = Field<[OrderLine]>("lines", count: 1...20)
    package static let day = Field<Day>("day", in: "2027-01-01"..."2027-12-31")
    package static let note = Field<String?>("note", minimumLength: 3, maximumLength: 80).whenAbsent(nil)
    package static let tags = Field<[String]>("tags", maximumLength: 8).whenAbsent([])
    package static let gift = Field<GiftWrap?>("gift").whenAbsent(nil)

    package static let shownLines = Output<[OrderLine]>("lines")
    package static let total = Output<Amount>("total", description: "The price of all lines.")
    package static let delivery = Output<Timestamp>("delivery")

    package static let events: EventTable<OrderController> = [
        .default(
            "orderButtonPressed",
            reads: lines,
            day,
            note,
            tags,
            gift,
            gives: [.renders(shownLines), .renders(total), .renders(delivery)]
        ) { controller, lines, day, _, _, _ in controller.order(lines, day) }
    ]

    package static let page = Page("order") { _ in OrderController() }

    package struct State: Codable, Sendable {
        package var count = 0
    }

    package weak var controllable: (any Controllable)?
    package var state = State()

    package init() {}

    func order(_ lines: [OrderLine], _ day: Day) {
        state.count += lines.count
        render(Self.shownLines, lines)
        render(Self.total, lines.reduce(0) { $0 + Amount(units: 250) * $1.count })
        render(Self.delivery, Timestamp.ms(Int64(day.daysSince1970) * 86_400_000 + 9 * 3_600_000))
    }
}

package enum Size: String, ChoiceValue, Codable { case small, medium, large }

package struct OrderLine: ObjectValue, Codable, Equatable {
    package var product: String, size: Size, count: Int, isHot: Bool

    package static let object = ObjectSchema(
        OrderLine.init(product:size:count:isHot:),
        Member(as: Field("product", minimumLength: 1, maximumLength: 40), \.product),
        Member("size", \.size),
        Member(as: Field("count", in: 1...99), \.count),
        Member(as: Field("isHot", description: "Whether it is served hot.").whenAbsent(false), \.isHot)
    )
}

/// How a gift is wrapped, with a member that is secret.
package struct GiftWrap: ObjectValue {
    package var paper: String, code: String

    package static let object = ObjectSchema(
        GiftWrap.init(paper:code:),
        Member("paper", \.paper),
        Member(as: Field("code", isSecret: true), \.code)
    )
}
