/// A JSON type (RFC 8259).
public enum JSONType: String, Sendable, CaseIterable {
    /// A text.
    case string
    /// A number, with or without a fraction.
    case number
    /// A number without a fraction, of 64 bits.
    case integer
    /// True or false.
    case boolean
    /// A list of values.
    case array
    /// Values by name.
    case object

    package var noun: String {
        switch self {
        case .string: "a string"
        case .number: "a number"
        case .integer: "an integer"
        case .boolean: "true or false"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
