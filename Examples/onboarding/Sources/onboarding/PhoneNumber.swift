import BusinessLogic

/// A telephone number with its country code, such as +49 30 123456.
struct PhoneNumber: FieldValue, Codable {
    static let fieldKind = FieldKind.string
    static let fieldFormat: String? = "phone"
    static let fieldExample: Value = "+49 30 123456"

    let text: String
    var fieldValue: Value { .string(text) }

    init?(fieldValue: Value) {
        guard let text = fieldValue.string?.filter({ $0 != " " }), text.wholeMatch(of: /\+[0-9]{7,15}/) != nil else {
            return nil
        }
        self.text = text
    }
}
