/// The JSON type of a field's value.
public enum FieldKind: String, Sendable, CaseIterable {
    /// A text.
    case string
    /// A number, with or without a fraction.
    case number
    /// A number without a fraction, of 64 bits.
    case integer
    /// True or false: a switch.
    case boolean
}

extension FieldKind {
    /// Whether a value other than null is of this kind.
    func accepts(_ value: Value) -> Bool {
        switch (value, self) {
        case (.string, .string), (.number, .number), (.boolean, .boolean), (.number(.integer), .integer): true
        case (.number(.double(let number)), .integer): Int(withoutFraction: number) != nil
        default: false
        }
    }

    /// The value that a form's text means; `nil` if the text is no such value. A browser sends `on` for a ticked check box.
    package func value(ofText text: String) -> Value? {
        switch self {
        case .string: return .string(text)
        case .boolean: return text == "true" || text == "on" ? .some(true) : text == "false" ? .some(false) : .none
        case .number, .integer:
            guard let value = try? JSONReader.read(Array(text.utf8)), accepts(value) else { return .none }
            return value
        }
    }

    /// The value of an erased field in a replay.
    package var erasedValue: Value {
        switch self {
        case .string: "erased"
        case .number, .integer: 0
        case .boolean: false
        }
    }

    /// The name of a value of this kind in a sentence.
    package var noun: String {
        switch self {
        case .string: "a string"
        case .number: "a number"
        case .integer: "an integer"
        case .boolean: "true or false"
        }
    }
}
