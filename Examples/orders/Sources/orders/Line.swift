import BusinessLogic

/// How much is in a cup.
enum Size: String, ChoiceValue, Codable {
    case small, medium, large

    var price: Amount {
        switch self {
        case .small: Amount(units: 250)
        case .medium: Amount(units: 300)
        case .large: Amount(units: 350)
        }
    }
}

/// What a customer orders of one product.
struct Line: ObjectValue, Codable {
    var product: String, size: Size, count: Int

    static let object = ObjectSchema(
        Line.init(product:size:count:),
        Member(as: Field("product", minimumLength: 1, maximumLength: 40), \.product),
        Member("size", \.size),
        Member(as: Field("count", in: 1...99), \.count)
    )
}

/// An order, as the page of all orders shows it.
struct PlacedOrder: ObjectValue, Codable {
    var lines: [Line], day: Day, total: Amount, placed: Timestamp

    static let object = ObjectSchema(
        PlacedOrder.init(lines:day:total:placed:),
        Member("lines", \.lines),
        Member("day", \.day),
        Member("total", \.total),
        Member("placed", \.placed)
    )
}
