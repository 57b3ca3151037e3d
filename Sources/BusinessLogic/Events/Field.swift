/// A value that an event reads from its screen.
public struct Field: Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    /// The key that ``Controllable/getValue(_:)`` is asked for.
    public let name: String
    /// What the field holds.
    public let kind: Kind
    /// Whether the field may be there and hold nothing: a text field whose text is nil.
    public let isOptional: Bool
    /// Whether the value must leave no trace: it is forgotten when its event has been handled, and never logged.
    public let isSecret: Bool
    /// The most Unicode code points that a text may have. A longer one is rejected before anything looks at it.
    public let maximumLength: Int

    /// The maximum length of a text whose field does not declare another: 1,024 Unicode code points.
    public static let usualMaximumLength = 1024

    /// A field. Unless you say otherwise: a required text of at most ``usualMaximumLength`` that is not a secret.
    ///
    /// - Parameters:
    ///   - name: the key that ``Controllable/getValue(_:)`` is asked for.
    ///   - kind: what the field holds.
    ///   - isOptional: whether the field may hold null.
    ///   - isSecret: whether the value must leave no trace.
    ///   - maximumLength: the most Unicode code points that a text may have, at least 0.
    public init(
        _ name: String,
        _ kind: Kind = .string,
        isOptional: Bool = false,
        isSecret: Bool = false,
        maximumLength: Int = Field.usualMaximumLength
    ) {
        self.name = name
        self.kind = kind
        self.isOptional = isOptional
        self.isSecret = isSecret
        self.maximumLength = maximumLength
    }

    /// A required text that is not a secret.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// A required text that must leave no trace.
    public static func secret(_ name: String, maximumLength: Int = Field.usualMaximumLength) -> Field {
        Field(name, isSecret: true, maximumLength: maximumLength)
    }

    /// A text field whose text may be nil.
    public static func optional(_ name: String, maximumLength: Int = Field.usualMaximumLength) -> Field {
        Field(name, isOptional: true, maximumLength: maximumLength)
    }

    /// This field, made a secret.
    public var secret: Field {
        Field(name, kind, isOptional: isOptional, isSecret: true, maximumLength: maximumLength)
    }

    /// Whether the field may hold a value of that kind. Its length is not looked at.
    public func accepts(_ value: Value) -> Bool {
        value == .null ? isOptional : kind.accepts(value)
    }

    /// Whether the value is a text that is longer than the field allows.
    public func isTooLong(_ value: Value) -> Bool {
        if case .string(let text) = value { text.isLonger(than: maximumLength) } else { false }
    }
}
