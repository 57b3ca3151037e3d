import BusinessLogic

/// A type of an embedder: the digits of a telephone number.
struct PhoneNumber: FieldValue, Equatable {
    static let fieldKind = FieldKind.string
    static let fieldFormat: String? = "phone"
    static let fieldExample: Value = "+49 30 123456"
    static let fieldMaximumLength = 32

    let digits: String
    var fieldValue: Value { .string("+" + digits) }

    init?(fieldValue: Value) {
        guard let text = fieldValue.string, text.hasPrefix("+") else { return nil }
        digits = text.filter(\.isNumber)
    }
}

/// Another type of an embedder: a rating from one to five, which does not override any default.
enum Rating: Int, FieldValue {
    case one = 1
    case two, three, four, five

    static let fieldKind = FieldKind.integer
    var fieldValue: Value { Value(rawValue) }

    init?(fieldValue: Value) {
        guard let number = Int(fieldValue: fieldValue) else { return nil }
        self.init(rawValue: number)
    }
}
