/// A value that an event reads from its screen.
public struct Field: Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    /// The key to pass to ``Controllable/getValue(_:)``.
    public let name: String
    /// The type of the field's value.
    public let kind: Kind
    /// Whether the field may contain null, as a text field whose text is `nil` does.
    public let isOptional: Bool
    /// Whether the value is discarded after its event, and never logged or recorded.
    public let isSecret: Bool
    /// The maximum number of Unicode code points of a text. A longer text is rejected before the controller runs.
    public let maximumLength: Int

    /// The maximum length of a text whose field does not declare another: 1,024 Unicode code points.
    public static let usualMaximumLength = 1024

    /// Creates a field. The defaults give a required text of at most ``usualMaximumLength`` code points that is not secret.
    ///
    /// - Parameters:
    ///   - name: the key to pass to ``Controllable/getValue(_:)``.
    ///   - kind: the type of the field's value.
    ///   - isOptional: whether the field may contain null.
    ///   - isSecret: whether the value is discarded after its event, and never logged or recorded.
    ///   - maximumLength: the maximum number of Unicode code points of a text, at least 0.
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

    /// Creates a required text of at most ``usualMaximumLength`` code points that is not secret.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// A required secret text.
    public static func secret(_ name: String, maximumLength: Int = Field.usualMaximumLength) -> Field {
        Field(name, isSecret: true, maximumLength: maximumLength)
    }

    /// A text that may be null.
    public static func optional(_ name: String, maximumLength: Int = Field.usualMaximumLength) -> Field {
        Field(name, isOptional: true, maximumLength: maximumLength)
    }

    /// A copy of the field that is secret.
    public var secret: Field {
        Field(name, kind, isOptional: isOptional, isSecret: true, maximumLength: maximumLength)
    }

    /// Whether the value has the field's type, or is null and the field optional. Does not check the length.
    public func accepts(_ value: Value) -> Bool {
        value == .null ? isOptional : kind.accepts(value)
    }

    /// Whether the value is a text that is longer than the field allows.
    public func isTooLong(_ value: Value) -> Bool {
        if case .string(let text) = value { text.isLonger(than: maximumLength) } else { false }
    }
}
