/// A type of an embedder: a rating from one to five, which does not override any default.
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
