/// A value that an event reads from its screen.
public struct Field: Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    /// What a field holds.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A text.
        case string
        /// A number, whole or not.
        case number
        /// A truth value: a switch.
        case boolean
    }

    /// The key that ``Controllable/getValue(_:)`` is asked for.
    public let name: String
    /// What the field holds.
    public let kind: Kind
    /// Whether the field may be there and hold nothing: a text field whose text is nil.
    public let isOptional: Bool
    /// Whether the value must leave no trace: it is forgotten when its event has been handled, and never logged.
    public let isSecret: Bool

    /// A field. Without further words: a text that has to be given and is no secret.
    public init(_ name: String, _ kind: Kind = .string, isOptional: Bool = false, isSecret: Bool = false) {
        self.name = name
        self.kind = kind
        self.isOptional = isOptional
        self.isSecret = isSecret
    }

    /// A text that has to be given and is no secret.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// A text that must leave no trace.
    public static func secret(_ name: String) -> Field {
        Field(name, isSecret: true)
    }

    /// A text field whose text may be nil.
    public static func optional(_ name: String) -> Field {
        Field(name, isOptional: true)
    }

    /// This field, made a secret.
    public var secret: Field {
        Field(name, kind, isOptional: isOptional, isSecret: true)
    }

    /// Whether the field may hold the value.
    public func accepts(_ value: Value) -> Bool {
        switch (value, kind) {
        case (.string, .string), (.number, .number), (.boolean, .boolean): true
        case (.null, _): isOptional
        default: false
        }
    }
}
