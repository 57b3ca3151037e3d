import BusinessLogic

/// A telephone number with its country code, such as +49 30 123456.
struct PhoneNumber: ScreenValue, Codable {
    static let valueSchema = ValueSchema.string(format: "phone", example: "+49 30 123456")

    let text: String
    var screenValue: Value { .string(text) }

    init?(screenValue: Value) {
        guard let text = screenValue.string?.filter({ $0 != " " }), text.wholeMatch(of: /\+[0-9]{7,15}/) != nil else {
            return nil
        }
        self.text = text
    }
}
