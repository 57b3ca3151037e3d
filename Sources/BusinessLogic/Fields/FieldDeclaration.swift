/// A ``Field`` without its Swift type: what clients and documents see of it.
@usableFromInline
package struct FieldDeclaration: Equatable, Sendable {
    /// The key of ``Controllable/getValue(_:)``.
    @usableFromInline
    package let name: String
    /// The JSON type of the value.
    package let kind: FieldKind
    /// The format of the value; `nil` for any.
    package private(set) var format: String?
    /// Whether the field may contain null, as a text field whose text is `nil` does.
    package private(set) var isOptional: Bool
    /// Whether the value is discarded after its event, and never logged or recorded.
    package private(set) var isSecret: Bool
    /// The maximum number of Unicode code points of a text. A longer text is rejected before the controller runs.
    package private(set) var maximumLength: Int
    /// What the field means; `nil` if the field has no description.
    package private(set) var description: String?
    /// The value if the screen contains none; `nil` if the screen must contain one.
    @usableFromInline
    package private(set) var whenAbsent: Value?
    private let type: any FieldValue.Type
    /// Whether `kind` accepts the same values as `type`, faster.
    private var isPlain: Bool

    init<Content: FieldValue>(
        _ name: String,
        _ type: Content.Type,
        isSecret: Bool,
        maximumLength: Int,
        description: String?,
        whenAbsent: Value?
    ) {
        self.name = name
        self.type = type
        kind = Content.fieldKind
        format = Content.fieldFormat
        isPlain = Self.plainTypes.contains { $0 == type }
        isOptional = Content.fieldIsOptional
        self.isSecret = isSecret
        self.maximumLength = maximumLength
        self.description = description
        self.whenAbsent = whenAbsent
    }

    /// A valid value.
    package var example: Value {
        guard isPlain, case .string(let text) = type.fieldExample else { return type.fieldExample }
        return .string(String(text.unicodeScalars.prefix(maximumLength)))
    }

    private static let plainTypes: [any FieldValue.Type] = [
        String.self, Bool.self, Int.self, Double.self, String?.self, Bool?.self, Int?.self, Double?.self,
    ]

    /// Whether the value has the field's type. Does not check its length.
    package func accepts(_ value: Value) -> Bool {
        if case .null = value { return isOptional }
        return kind.accepts(value) && (isPlain || type.init(fieldValue: value) != nil)
    }

    /// Whether the field accepts every text that is not too long.
    package var acceptsEveryText: Bool { kind == .string && isPlain }

    /// The value of the field in a replay, if the recording does not contain it because it is secret.
    package var erasedValue: Value {
        let value = kind.erasedValue
        return !isTooLong(value) && accepts(value) ? value : example
    }

    /// Whether the value is a text that is longer than the field allows.
    package func isTooLong(_ value: Value) -> Bool {
        if case .string(let text) = value { text.isLonger(than: maximumLength) } else { false }
    }

    /// A field that accepts the values of this one and of another with the same name and kind. If their types differ, it accepts
    /// all values of the kind.
    package func union(_ other: FieldDeclaration) -> FieldDeclaration {
        var union = self
        if format != other.format { union.format = nil }
        union.isPlain = isPlain || type != other.type
        union.isOptional = isOptional || other.isOptional
        union.isSecret = isSecret || other.isSecret
        union.maximumLength = max(maximumLength, other.maximumLength)
        union.description = description ?? other.description
        union.whenAbsent = whenAbsent ?? other.whenAbsent
        return union
    }

    /// Whether both fields are declared in the same way.
    @usableFromInline
    package static func == (left: FieldDeclaration, right: FieldDeclaration) -> Bool {
        left.name == right.name && left.type == right.type && left.isOptional == right.isOptional
            && left.isSecret == right.isSecret && left.maximumLength == right.maximumLength
            && left.description == right.description && left.whenAbsent == right.whenAbsent
    }
}
