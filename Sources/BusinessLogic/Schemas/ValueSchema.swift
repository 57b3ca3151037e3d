/// What a field accepts and an output shows: a type of JSON values, with constraints.
///
/// The schemas of a field and of an output follow from their Swift type and from the constraints in their declaration. Create one only for a
/// type of your own, in its conformance to ``ScreenValue``.
public struct ValueSchema: Sendable {
    /// A JSON type, with what it consists of.
    package indirect enum Kind: Equatable, Sendable {
        /// A text.
        case string
        /// A number, with or without a fraction.
        case number
        /// A number without a fraction, of 64 bits.
        case integer
        /// True or false: a switch.
        case boolean
        /// One of these texts.
        case choice([String])
        /// A list of values with the same schema.
        case array(ValueSchema)
        /// An object with these members.
        case object([Member])
        /// Any value.
        case any
    }

    /// A member of an object.
    package struct Member: Equatable, Sendable {
        /// The member's name.
        package let name: String
        /// The schema of its value.
        package let schema: ValueSchema
        /// Whether the value is never kept, logged or recorded.
        package let isSecret: Bool
        /// What the member means; `nil` if it has no description.
        package let description: String?
        /// The value if an object does not contain the member; `nil` if it must.
        package let whenAbsent: Value?
    }

    package let kind: Kind
    /// Whether null is valid, as in a text field whose text is `nil`.
    package private(set) var isOptional = false
    /// The format of a text or a number; `nil` for any.
    package private(set) var format: String?
    /// The minimum number of Unicode code points of a text.
    package private(set) var minimumLength = 0
    /// The declared maximum number of Unicode code points of a text.
    private var declaredMaximumLength: Int?
    /// The valid numbers and points in time; `nil` for all.
    package private(set) var range: ValueRange?
    /// The declared numbers of a list's elements.
    private var declaredCount: ClosedRange<Int>?
    /// The maximum number of fraction digits; `nil` for any.
    package private(set) var fractionDigits: Int?
    /// The Swift type, if it has a name in documents or accepts only some of the values of its kind.
    let type: (any ScreenValue.Type)?
    /// Whether only the Swift type knows which values are valid.
    private var isChecked = false
    private var textFormat: TextFormat?
    private var declaredExample: Value?
    /// Whether one of this package's types has created the schema, which describes it completely.
    private var isComplete = true

    /// The maximum length of a text without another one.
    public static let usualMaximumLength = 1024
    /// The maximum number of elements of a list without another one.
    public static let usualMaximumCount = 100

    init(_ kind: Kind) {
        self.kind = kind
        type = nil
    }

    init(choices: [String], of type: any ScreenValue.Type) {
        kind = .choice(choices)
        self.type = type
    }

    init(members: [Member], of type: any ScreenValue.Type) {
        kind = .object(members)
        self.type = type
    }

    /// A text, number or boolean of a type that checks its values.
    init(_ kind: Kind, format: String?, example: Value, fractionDigits: Int? = nil, of type: any ScreenValue.Type) {
        self.kind = kind
        self.format = format
        declaredExample = example
        self.fractionDigits = fractionDigits
        self.type = type
        isChecked = true
    }

    /// The schema of a type.
    init<Content: ScreenValue>(of type: Content.Type) {
        let schema = Content.valueSchema
        self = schema.isComplete ? schema : ValueSchema(schema, checkedBy: type)
    }

    private init(_ schema: ValueSchema, checkedBy type: any ScreenValue.Type) {
        kind = schema.kind
        format = schema.format
        declaredMaximumLength = schema.declaredMaximumLength
        declaredCount = schema.declaredCount
        declaredExample = schema.declaredExample
        self.type = type
        isChecked = true
    }

    private init(
        custom kind: Kind,
        format: String? = nil,
        example: Value? = nil,
        maximumLength: Int? = nil
    ) {
        self.init(kind)
        self.format = format
        declaredMaximumLength = maximumLength
        declaredExample = example
        isComplete = false
    }
}

// MARK: Types of an embedder

extension ValueSchema {
    /// A text.
    ///
    /// - Parameters:
    ///   - format: the format, in the words of JSON Schema or your own: `uri`, `phone`.
    ///   - example: a valid value, for errors and documents.
    ///   - maximumLength: the maximum number of Unicode code points, unless a field declares another; `nil` for 1,024.
    public static func string(
        format: String? = nil,
        example: String = "text",
        maximumLength: Int? = nil
    ) -> ValueSchema {
        ValueSchema(custom: .string, format: format, example: .string(example), maximumLength: maximumLength)
    }

    /// A number, with or without a fraction.
    ///
    /// - Parameters:
    ///   - format: the format, in the words of JSON Schema or your own.
    ///   - example: a valid value, for errors and documents.
    public static func number(format: String? = nil, example: Double = 1) -> ValueSchema {
        ValueSchema(custom: .number, format: format, example: Value(example))
    }

    /// A number without a fraction, of 64 bits.
    ///
    /// - Parameters:
    ///   - format: the format, in the words of JSON Schema or your own.
    ///   - example: a valid value, for errors and documents.
    public static func integer(format: String? = nil, example: Int = 1) -> ValueSchema {
        ValueSchema(custom: .integer, format: format, example: Value(example))
    }

    /// True or false.
    public static var boolean: ValueSchema { ValueSchema(custom: .boolean) }

    /// Any value.
    public static var any: ValueSchema { ValueSchema(custom: .any) }

    /// A list of values of a type.
    ///
    /// - Parameters:
    ///   - element: the type.
    ///   - count: the valid numbers of elements; `nil` for at most 100.
    public static func array<Element: ScreenValue>(
        of element: Element.Type,
        count: ClosedRange<Int>? = nil
    ) -> ValueSchema {
        var schema = ValueSchema(custom: .array(ValueSchema(of: element)))
        schema.declaredCount = count
        return schema
    }

    /// The same values, or null.
    public var optional: ValueSchema {
        var schema = self
        schema.isOptional = true
        return schema
    }
}

extension ValueSchema {
    /// The same values without null.
    package var required: ValueSchema {
        var schema = self
        schema.isOptional = false
        return schema
    }
}

// MARK: Constraints

/// The smallest and the largest valid value.
package struct ValueRange: Equatable, Sendable {
    package let minimum: Value
    package let maximum: Value

    init<Bound: ScreenValue & Comparable>(_ range: ClosedRange<Bound>) {
        self.init(minimum: range.lowerBound.screenValue, maximum: range.upperBound.screenValue)
    }

    init(minimum: Value, maximum: Value) {
        self.minimum = minimum
        self.maximum = maximum
    }
}

extension ValueSchema {
    /// The constraints in the declaration of a field or a member.
    struct Constraints {
        let range: ValueRange?
        let minimumLength: Int
        let maximumLength: Int?
        fileprivate(set) var count: ClosedRange<Int>?
        let fractionDigits: Int?
        let format: TextFormat?

        init<Bound: ScreenValue & Comparable>(
            _ range: ClosedRange<Bound>?,
            _ minimumLength: Int,
            _ maximumLength: Int?,
            _ count: ClosedRange<Int>?,
            _ fractionDigits: Int?,
            _ format: TextFormat?
        ) {
            self.range = range.map { ValueRange($0) }
            self.minimumLength = minimumLength
            self.maximumLength = maximumLength
            self.count = count
            self.fractionDigits = fractionDigits
            self.format = format
        }
    }

    /// The schema with constraints. Those of a text or a number apply to a list's elements.
    ///
    /// - Precondition: the type can have them.
    func constrained(_ constraints: Constraints, in name: String) -> ValueSchema {
        if case .array(let element) = kind {
            var constraints = constraints
            let count = constraints.count ?? declaredCount
            constraints.count = nil
            precondition(count?.lowerBound ?? 0 >= 0, "'\(name)' declares a negative number of elements")
            var schema = ValueSchema(self, kind: .array(element.constrained(constraints, in: name)))
            schema.declaredCount = count
            return schema
        }
        precondition(constraints.count == nil, "'\(name)' declares a number of elements and is no list")
        let isText = kind == .string
        precondition(
            isText || constraints.minimumLength == 0 && constraints.maximumLength == nil && constraints.format == nil,
            "'\(name)' declares a length or a format and is no text"
        )
        precondition(
            constraints.fractionDigits == nil || fractionDigits != nil,
            "'\(name)' declares fraction digits and is no amount"
        )
        var schema = self
        schema.range = constraints.range ?? range
        schema.minimumLength = constraints.minimumLength
        schema.declaredMaximumLength = constraints.maximumLength ?? declaredMaximumLength
        schema.fractionDigits = constraints.fractionDigits ?? fractionDigits
        if let format = constraints.format {
            schema.format = format.name
            schema.textFormat = format
        }
        return schema
    }

    private init(_ schema: ValueSchema, kind: Kind) {
        self.kind = kind
        isOptional = schema.isOptional
        format = schema.format
        declaredCount = schema.declaredCount
        type = schema.type
        isChecked = schema.isChecked
        declaredExample = schema.declaredExample
    }

    /// A schema that accepts the values of this one and of another; `nil` if their types differ.
    func union(_ other: ValueSchema) -> ValueSchema? {
        if self == other { return self }
        guard let kind = kind.union(other.kind) else { return nil }
        var union = ValueSchema(kind)
        if kind == self.kind, let type, type == other.type {
            union = ValueSchema(self, kind: kind)
            if kind == .string { union.textFormat = textFormat == other.textFormat ? textFormat : nil }
        }
        union.format = format == other.format ? format : nil
        union.isOptional = isOptional || other.isOptional
        union.minimumLength = min(minimumLength, other.minimumLength)
        union.declaredMaximumLength = max(maximumLength(.input), other.maximumLength(.input))
        let (count, others) = (count(.input), other.count(.input))
        union.declaredCount = min(count.lowerBound, others.lowerBound)...max(count.upperBound, others.upperBound)
        if let digits = fractionDigits, let others = other.fractionDigits { union.fractionDigits = max(digits, others) }
        if let range, let others = other.range {
            union.range = ValueRange(
                minimum: precedes(others.minimum, range.minimum) ? others.minimum : range.minimum,
                maximum: precedes(range.maximum, others.maximum) ? others.maximum : range.maximum
            )
        }
        return union
    }
}

extension ValueSchema.Kind {
    fileprivate func union(_ other: ValueSchema.Kind) -> ValueSchema.Kind? {
        if self == other { return self }
        switch (self, other) {
        case (.array(let element), .array(let others)): return element.union(others).map { .array($0) }
        case (.choice(let choices), .choice(let others)):
            return .choice(choices + others.filter { !choices.contains($0) })
        case (.choice, .string), (.string, .choice): return .string
        default: return nil
        }
    }
}

extension ValueSchema: Equatable {
    /// Whether both are of the same Swift type with the same constraints.
    public static func == (left: ValueSchema, right: ValueSchema) -> Bool {
        left.kind == right.kind && left.type == right.type && left.isOptional == right.isOptional
            && left.format == right.format && left.minimumLength == right.minimumLength
            && left.declaredMaximumLength == right.declaredMaximumLength && left.range == right.range
            && left.declaredCount == right.declaredCount
            && left.fractionDigits == right.fractionDigits
    }
}

// MARK: What it says

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

    /// The name of a value of this type in a sentence.
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

extension ValueSchema {
    /// Who sends a value.
    package enum Direction: Sendable {
        /// A client sends it. Texts and lists without a declared maximum have the usual one.
        case input
        /// A controller shows it. Objects may have further members.
        case output
        /// A client sends it, and a controller shows it: of a schema that documents use for both.
        case both
    }

    /// The maximum number of Unicode code points of a text.
    package func maximumLength(_ direction: Direction) -> Int {
        declaredMaximumLength ?? (direction == .output ? .max : Self.usualMaximumLength)
    }

    /// The valid numbers of a list's elements.
    package func count(_ direction: Direction) -> ClosedRange<Int> {
        declaredCount ?? 0...(direction == .output ? .max : Self.usualMaximumCount)
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

    /// Whether values have no members and no elements.
    package var isScalar: Bool {
        switch kind {
        case .string, .number, .integer, .boolean, .choice: true
        case .array, .object, .any: false
        }
    }

    /// Whether values are days or times, whose format says how long they are.
    var isTime: Bool { type is Day.Type || type is Timestamp.Type }

    /// Whether a value other than null is valid exactly if it has the JSON type and, as a text, the length.
    var isPlain: Bool {
        guard !isChecked, textFormat == nil, range == nil else { return false }
        switch kind {
        case .string, .number, .integer, .boolean: return true
        case .choice, .array, .object, .any: return false
        }
    }

    /// The name of the Swift type in documents; `nil` for a type without one. Two schemas with the same type have the same name.
    package var typeName: String? {
        switch kind {
        case .choice, .object: type.map { "\($0)" }
        default: nil
        }
    }

    /// Identifies the Swift type that ``typeName`` names.
    package var typeIdentifier: ObjectIdentifier? { typeName == nil ? nil : type.map { ObjectIdentifier($0) } }

    /// Whether a value contains a member that is secret.
    package var hasSecrets: Bool {
        switch kind {
        case .array(let element): element.hasSecrets
        case .object(let members): members.contains { $0.isSecret || $0.schema.hasSecrets }
        default: false
        }
    }

    /// A valid value.
    package var example: Value {
        if let declaredExample {
            guard let range, precedes(declaredExample, range.minimum) || precedes(range.maximum, declaredExample) else {
                return declaredExample
            }
            return range.minimum
        }
        switch kind {
        case .string: return exampleText
        case .number, .integer:
            guard let range, precedes(1, range.minimum) || precedes(range.maximum, 1) else { return 1 }
            return range.minimum
        case .boolean: return true
        case .choice(let choices): return choices.first.map(Value.string) ?? .null
        case .array(let element):
            return .array(Array(repeating: element.example, count: max(1, count(.input).lowerBound)))
        case .object(let members):
            var object = Value.Object(capacity: members.count)
            for member in members { object.append(member.name, member.schema.example) }
            return .object(object)
        case .any: return "value"
        }
    }

    private var exampleText: Value {
        if let textFormat { return .string(textFormat.example) }
        let text = String("text".unicodeScalars.prefix(maximumLength(.input)))
        return .string(text + String(repeating: "t", count: max(0, minimumLength - text.unicodeScalars.count)))
    }

    /// The value of an erased field in a replay: one that is recognisable if the schema accepts it.
    package var erasedValue: Value {
        let value: Value =
            switch kind {
            case .string: "erased"
            case .number, .integer: 0
            case .boolean: false
            default: example
            }
        return accepts(value) ? value : example
    }

    /// A value of the schema with the ``erasedValue`` of each secret member that is neither null nor empty.
    package func erasingSecrets(in value: Value) -> Value {
        switch (kind, value) {
        case (.array(let element), .array(let elements)):
            return .array(elements.map { element.erasingSecrets(in: $0) })
        case (.object(let members), .object(var object)):
            for member in members {
                guard let value = object[member.name] else { continue }
                if !member.isSecret {
                    object[member.name] = member.schema.erasingSecrets(in: value)
                } else if value != .null, value != "" {
                    object[member.name] = member.schema.erasedValue
                }
            }
            return .object(object)
        default: return value
        }
    }

    func accepts(format text: String) -> Bool { textFormat?.accepts(text) ?? true }

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
            case .string: format == nil || textFormat != nil ? "string" : "string (\(format ?? ""))"
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
