/// What a field accepts, for an error about another value.
public struct ExpectedValue: Equatable, Sendable {
    /// The JSON type of the value.
    public let kind: FieldKind
    /// The format of the value; `nil` for any.
    public let format: String?
    /// A valid value.
    public let example: Value

    /// Creates a description of a field's values.
    public init(_ kind: FieldKind, format: String? = nil, example: Value) {
        self.kind = kind
        self.format = format
        self.example = example
    }
}

extension FieldDeclaration {
    /// What the field accepts.
    @usableFromInline
    package var expected: ExpectedValue { ExpectedValue(kind, format: format, example: example) }
}
