/// What a field accepts and an output shows: a type of JSON values, with constraints.
///
/// The schemas of a field and of an output follow from their Swift type and from the constraints in their declaration. Create one only for a
/// type of your own, in its conformance to ``ScreenValue``.
public struct ValueSchema: Sendable {
    package indirect enum Kind: Equatable, Sendable {
        case string
        case number
        /// A number without a fraction, of 64 bits.
        case integer
        case boolean
        case choice([String])
        case array(ValueSchema)
        case object([FieldDeclaration])
        case any
    }

    package internal(set) var kind: Kind
    /// Whether null is valid, as in a text field whose text is `nil`.
    package internal(set) var isOptional = false
    package internal(set) var format: String?
    var constraints = Constraints()
    /// The Swift type, if it has a name in documents or accepts only some of the values of its kind.
    var type: (any ScreenValue.Type)?
    /// Whether only the Swift type knows which values are valid.
    var isChecked = false
    var declaredExample: Value?

    /// The maximum length of a text without another one.
    public static let usualMaximumLength = 1024
    /// The maximum number of elements of a list without another one.
    public static let usualMaximumCount = 100

    package init(_ kind: Kind, of type: (any ScreenValue.Type)? = nil) {
        self.kind = kind
        self.type = type
    }

    /// A text, number or boolean of a type that checks its values: an embedder's, if `type` is `nil`.
    init(_ kind: Kind, format: String?, example: Value?, of type: (any ScreenValue.Type)? = nil) {
        self.init(kind, of: type)
        self.format = format
        declaredExample = example
        isChecked = true
    }

    init<Content: ScreenValue>(of type: Content.Type) {
        self = Content.valueSchema
        if isChecked, self.type == nil { self.type = type }
    }
}

extension ValueSchema: Equatable {
    /// Whether both are of the same Swift type with the same constraints.
    public static func == (left: ValueSchema, right: ValueSchema) -> Bool {
        left.kind == right.kind && left.type == right.type && left.isOptional == right.isOptional
            && left.format == right.format && left.constraints == right.constraints
    }
}

extension ValueSchema {
    package enum Direction: Sendable {
        /// A client sends it. Texts and lists without a declared maximum have the usual one.
        case input
        /// A controller shows it. Objects may have further members.
        case output
        /// A client sends it, and a controller shows it: of a schema that documents use for both.
        case both
    }

    /// In Unicode code points.
    package func maximumLength(_ direction: Direction) -> Int {
        constraints.maximumLength ?? (direction == .output ? .max : Self.usualMaximumLength)
    }

    package func count(_ direction: Direction) -> ClosedRange<Int> {
        constraints.count ?? 0...(direction == .output ? .max : Self.usualMaximumCount)
    }

    /// The JSON type of a value other than null; `nil` for any.
    package var jsonType: JSONType? {
        switch kind {
        case .string, .choice: .string
        case .number: .number
        case .integer: .integer
        case .boolean: .boolean
        case .array: .array
        case .object: .object
        case .any: nil
        }
    }

    package var isScalar: Bool {
        switch kind {
        case .string, .number, .integer, .boolean, .choice: true
        case .array, .object, .any: false
        }
    }

    /// Whether values are days or times, whose format says how long they are.
    package var isTime: Bool { type is Day.Type || type is Timestamp.Type }

    /// Whether a value other than null is valid exactly if it has the JSON type and, as a text, the length.
    var isPlain: Bool {
        if case .choice = kind { return false }
        return isScalar && !isChecked && constraints.format == nil && constraints.range == nil
    }

    /// The name of the Swift type in documents; `nil` for a type without one. Two schemas with the same type have the same name.
    package var typeName: String? {
        switch kind {
        case .choice, .object: type.map { "\($0)" }
        default: nil
        }
    }

    package var typeIdentifier: ObjectIdentifier? { typeName == nil ? nil : type.map { ObjectIdentifier($0) } }

    package var hasSecrets: Bool {
        switch kind {
        case .array(let element): element.hasSecrets
        case .object(let members): members.contains(where: \.isSecret)
        default: false
        }
    }

    /// Whether only the Swift type can say that it accepts the value, and does not.
    func typeRejects(_ value: Value) -> Bool {
        guard isChecked, let type else { return false }
        return type.init(screenValue: value) == nil
    }
}

extension ValueSchema: CustomStringConvertible {
    /// The type in a few words: `list of string`.
    public var description: String {
        let text =
            switch kind {
            case .string: format == nil || constraints.format != nil ? "string" : "string (\(format ?? ""))"
            case .number: "number"
            case .integer: "integer"
            case .boolean: "boolean"
            case .any: "any value"
            case .choice(let choices): choices.map { "'\($0)'" }.joined(separator: " or ")
            case .array(let element): "list of \(element)"
            case .object(let members):
                "object with " + members.map { "\($0.name): \($0.schema)" }.joined(separator: ", ")
            }
        return isOptional ? "\(text) or null" : text
    }
}
