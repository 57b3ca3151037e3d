/// A ``Field`` or a ``Member`` without its Swift types: what clients and documents see of it.
@usableFromInline
package struct FieldDeclaration: Equatable, Sendable {
    /// The key of ``Controllable/getValue(_:)``.
    @usableFromInline
    package let name: String
    package private(set) var schema: ValueSchema
    /// Whether the value is discarded after its event, and never logged or recorded. It is, too, if a member of the value is secret.
    package private(set) var isSecret: Bool
    /// Whether the declaration says so: not only a part of the value is secret.
    private(set) var isDeclaredSecret: Bool
    /// Whether a link may fill the field although it is secret.
    package private(set) var isFromLink: Bool
    /// Whether an agent may fill the field although it is secret.
    private var isFromAgent: Bool
    package private(set) var description: String?
    /// The value if the screen contains none; `nil` if the screen must contain one.
    @usableFromInline
    package internal(set) var whenAbsent: Value?
    /// The maximum length if every text of that length is valid, which is checked faster than a schema; otherwise -1.
    package private(set) var plainTextLength: Int

    init(
        _ name: String,
        _ schema: ValueSchema,
        isSecret: Bool = false,
        isFromLink: Bool = false,
        isFromAgent: Bool = false,
        description: String? = nil
    ) {
        self.name = name
        self.schema = schema
        isDeclaredSecret = isSecret
        self.isSecret = isSecret || schema.hasSecrets
        self.isFromLink = isFromLink
        self.isFromAgent = isFromAgent
        self.description = description
        plainTextLength = Self.plainTextLength(of: schema)
    }

    private static func plainTextLength(of schema: ValueSchema) -> Int {
        schema.kind == .string && schema.isPlain && schema.minimumLength == 0 ? schema.maximumLength(.input) : -1
    }

    /// A link can fill a secret field only if that is declared.
    package var acceptsLinks: Bool { !isSecret || isFromLink }

    /// The model of an agent that fills the field knows the value.
    package var acceptsAgents: Bool { !isSecret || isFromAgent }

    /// Whether the field accepts every text that is not too long and does not contain U+0000.
    package var acceptsEveryText: Bool { plainTextLength >= 0 }

    /// Whether the value is a text that the field accepts, without its whole schema.
    func acceptsPlainText(_ value: Value) -> Bool {
        guard case .string(let text) = value, plainTextLength >= 0 else { return false }
        return !text.isLonger(than: plainTextLength) && !text.containsNUL
    }

    package func check(_ value: Value, _ faults: inout FieldFaults) {
        if !acceptsPlainText(value) { schema.check(value, at: ValuePlace(field: name), &faults) }
    }

    /// The value for a recording: the same without the values of secret members. `nil` if all of it is secret.
    package func recordedValue(_ value: Value) -> Value? {
        if schema.hasSecrets, !isDeclaredSecret { return schema.erasingSecrets(in: value) }
        // An empty value reveals no secret, and rules check for it.
        if isSecret, value != .null, value != "" { return Value?.none }
        return value
    }

    /// A replay has it instead of a secret value, which the recording does not contain.
    package var erasedValue: Value { schema.erasedValue }

    /// A field that accepts the values of this one and of another with the same name; `nil` if their types differ.
    package func union(_ other: FieldDeclaration) -> FieldDeclaration? {
        guard let schema = schema.union(other.schema) else { return nil }
        var union = self
        union.schema = schema
        union.plainTextLength = Self.plainTextLength(of: schema)
        union.isSecret = isSecret || other.isSecret
        union.isDeclaredSecret = isDeclaredSecret || other.isDeclaredSecret
        union.isFromLink = isFromLink && other.isFromLink
        union.isFromAgent = isFromAgent && other.isFromAgent
        union.description = description ?? other.description
        union.whenAbsent = whenAbsent ?? other.whenAbsent
        return union
    }
}
