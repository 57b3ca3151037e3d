/// A type of an embedder: the digits of a telephone number.
struct PhoneNumber: ScreenValue, Equatable {
    static let valueSchema = ValueSchema.string(format: "phone", example: "+49 30 123456", maximumLength: 32)

    let digits: String
    var screenValue: Value { .string("+" + digits) }

    init?(screenValue: Value) {
        guard let text = screenValue.string, text.hasPrefix("+") else { return nil }
        digits = text.filter(\.isNumber)
    }
}

/// Another type of an embedder: a rating from one to five, which does not override any default.
enum Rating: Int, ScreenValue {
    case one = 1
    case two, three, four, five

    static let valueSchema = ValueSchema.integer()
    var screenValue: Value { Value(rawValue) }

    init?(screenValue: Value) {
        guard let number = Int(screenValue: screenValue) else { return nil }
        self.init(rawValue: number)
    }
}
