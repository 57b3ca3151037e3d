/// A key of the screen under which a controller shows values of one Swift type.
///
/// ```swift
/// static let userID = Output<String?>("userID")
/// static let errorMessage = Output<Message?>("errorMessage")
/// ```
public struct Output<Content: OutputValue>: Sendable {
    /// The key of ``Controllable/render(_:_:)-(String,Value)``.
    public let key: String
    /// What the output shows, for the users of the service; `nil` if the output has no description.
    package let description: String?

    /// Declares an output.
    public init(_ key: String, description: String? = nil) {
        self.key = key
        self.description = description
    }
}

/// A Swift type that an ``Output`` can show.
///
/// `String`, `Bool`, `Int`, `Double`, ``Message``, ``Value``, and optionals and arrays of them conform. Conform your own type to
/// show it as an object:
///
/// ```swift
/// extension Guest: OutputValue {
///     static let outputType = OutputType.object([
///         OutputType.Member("name", .string), OutputType.Member("visits", .integer),
///     ])
///     var outputValue: Value { ["name": .string(name), "visits": Value(visits)] }
/// }
/// ```
public protocol OutputValue: Sendable {
    /// The type of ``outputValue``.
    static var outputType: OutputType { get }
    /// The value as a screen shows it.
    var outputValue: Value { get }
    /// The message whose text ``outputValue`` is, if it is a message. The default is `nil`.
    var outputMessage: Message? { get }
}

extension OutputValue {
    @inlinable
    public var outputMessage: Message? { nil }
}

extension Command {
    /// Show `value` in an output.
    @inlinable
    public static func render<Content: OutputValue>(_ output: Output<Content>, _ value: Content) -> Command {
        .render(key: output.key, value: value.outputValue, message: value.outputMessage)
    }
}

extension String: OutputValue {
    @inlinable
    public static var outputType: OutputType { .string }
    @inlinable
    public var outputValue: Value { .string(self) }
}

extension Bool: OutputValue {
    @inlinable
    public static var outputType: OutputType { .boolean }
    @inlinable
    public var outputValue: Value { .boolean(self) }
}

extension Int: OutputValue {
    @inlinable
    public static var outputType: OutputType { .integer }
    @inlinable
    public var outputValue: Value { Value(self) }
}

extension Double: OutputValue {
    @inlinable
    public static var outputType: OutputType { .number }
    @inlinable
    public var outputValue: Value { Value(self) }
}

/// A value without a declared type.
extension Value: OutputValue {
    @inlinable
    public static var outputType: OutputType { .any }
    @inlinable
    public var outputValue: Value { self }
}

/// The message's text.
extension Message: OutputValue {
    @inlinable
    public static var outputType: OutputType { .string }
    @inlinable
    public var outputValue: Value { .string(text) }
    @inlinable
    public var outputMessage: Message? { self }
}

/// The value, or null.
extension Optional: OutputValue where Wrapped: OutputValue {
    @inlinable
    public static var outputType: OutputType { .optional(Wrapped.outputType) }
    @inlinable
    public var outputValue: Value { self?.outputValue ?? .null }
    @inlinable
    public var outputMessage: Message? { self?.outputMessage }
}

/// A list.
extension Array: OutputValue where Element: OutputValue {
    @inlinable
    public static var outputType: OutputType { .array(Element.outputType) }
    @inlinable
    // A key path would be created anew for each list, because its type is generic.
    public var outputValue: Value { .array(map { $0.outputValue }) }
}
