/// A type of an embedder: the digits of a telephone number.
package struct PhoneNumber: ScreenValue, Equatable {
    package static let valueSchema = ValueSchema.string(format: "phone", example: "+49 30 123456", maximumLength: 32)

    package let digits: String
    package var text: String { "+" + digits }
    package var screenValue: Value { .string(text) }

    package init?(screenValue: Value) {
        guard let text = screenValue.string, text.hasPrefix("+") else { return nil }
        digits = text.filter(\.isNumber)
    }
}
