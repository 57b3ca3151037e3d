/// The type of what an ``Output`` shows.
public indirect enum OutputType: Equatable, Sendable {
    /// A text.
    case string
    /// A number, with or without a fraction.
    case number
    /// A number without a fraction, of 64 bits.
    case integer
    /// True or false.
    case boolean
    /// A value of another type, or null.
    case optional(OutputType)
    /// A list of values of one type.
    case array(OutputType)
    /// An object with these members, each of which is always present.
    case object([Member])
    /// Any value.
    case any

    /// A member of an object.
    public struct Member: Equatable, Sendable {
        /// The member's name.
        package let name: String
        /// The type of the member's value.
        package let type: OutputType

        /// Creates a member.
        public init(_ name: String, _ type: OutputType) {
            self.name = name
            self.type = type
        }
    }

    /// Whether the value is of this type. An object may have further members.
    package func accepts(_ value: Value) -> Bool {
        switch (self, value) {
        case (.any, _), (.string, .string), (.boolean, .boolean), (.number, .number), (.integer, .number(.integer)):
            true
        case (.optional(let type), _): value == .null || type.accepts(value)
        case (.array(let type), .array(let elements)): elements.allSatisfy { type.accepts($0) }
        case (.object(let members), .object(let object)):
            members.allSatisfy { member in object[member.name].map { member.type.accepts($0) } ?? false }
        default: false
        }
    }
}

extension OutputType {
    /// Whether the value may be null.
    package var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The JSON type of a value other than null: `string`, `number`, `integer`, `boolean`, `array`, `object` or `any`.
    package var kind: String {
        switch self {
        case .string: "string"
        case .number: "number"
        case .integer: "integer"
        case .boolean: "boolean"
        case .array: "array"
        case .object: "object"
        case .any: "any"
        case .optional(let type): type.kind
        }
    }
}

extension OutputType: CustomStringConvertible {
    /// The type in a few words: `list of string`.
    public var description: String {
        switch self {
        case .string: "string"
        case .number: "number"
        case .integer: "integer"
        case .boolean: "boolean"
        case .any: "any value"
        case .optional(let type): "\(type) or null"
        case .array(let type): "list of \(type)"
        case .object(let members):
            "object with " + members.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
        }
    }
}
