/// A Swift type that a ``Field`` can contain and an ``Output`` can show.
///
/// `String`, `Bool`, `Int`, `Double`, ``Day``, ``Timestamp``, ``Amount``, ``Value``, and optionals and arrays of them conform. An enumeration of
/// texts becomes a choice with ``ChoiceValue``, a structure an object with ``ObjectValue``. Conform another type if it does not accept every
/// text or number. A client that sends an invalid value gets an error with an example, and the controller does not run:
///
/// ```swift
/// struct PhoneNumber: ScreenValue, Codable {
///     static let valueSchema = ValueSchema.string(format: "phone", example: "+49 30 123456")
///
///     let text: String
///     var screenValue: Value { .string(text) }
///
///     init?(screenValue: Value) {
///         guard let text = screenValue.string?.filter({ $0 != " " }), text.wholeMatch(of: /\+[0-9]{7,15}/) != nil else {
///             return nil
///         }
///         self.text = text
///     }
/// }
/// ```
public protocol ScreenValue: Sendable {
    /// The type of the limits of a field's or a member's range. The default, ``NoBound``, allows no range.
    associatedtype Bound: ScreenValue & Comparable = NoBound

    /// What a screen and a client may contain for a value of this type.
    static var valueSchema: ValueSchema { get }

    /// Converts what the screen contains. Returns `nil` if that is not a valid value of this type.
    init?(screenValue: Value)

    /// The value as a screen contains it. `init(screenValue:)` converts it back.
    var screenValue: Value { get }

    /// The message whose text ``screenValue`` is, if it is a message. The default is `nil`.
    var screenMessage: Message? { get }
}

extension ScreenValue {
    @inlinable
    public var screenMessage: Message? { nil }
}

/// The limits of a type without a range. It has no values.
public enum NoBound: ScreenValue, Comparable {
    public static var valueSchema: ValueSchema { ValueSchema(.any) }

    public init?(screenValue: Value) { nil }

    public var screenValue: Value {
        switch self {}
    }
}

extension String: ScreenValue {
    public static var valueSchema: ValueSchema { ValueSchema(.string) }

    @inlinable
    public init?(screenValue: Value) {
        guard case .string(let text) = screenValue else { return nil }
        self = text
    }

    @inlinable
    public var screenValue: Value { .string(self) }
}

extension Bool: ScreenValue {
    public static var valueSchema: ValueSchema { ValueSchema(.boolean) }

    @inlinable
    public init?(screenValue: Value) {
        guard case .boolean(let boolean) = screenValue else { return nil }
        self = boolean
    }

    @inlinable
    public var screenValue: Value { .boolean(self) }
}

extension Int: ScreenValue {
    public typealias Bound = Int

    public static var valueSchema: ValueSchema { ValueSchema(.integer) }

    @inlinable
    public init?(screenValue: Value) {
        switch screenValue {
        case .number(.integer(let integer)): self = integer
        case .number(.double(let double)): self.init(withoutFraction: double)
        default: return nil
        }
    }

    @inlinable
    public var screenValue: Value { Value(self) }
}

extension Int {
    /// The integer with the same value; `nil` if the number has a fraction or does not fit into 64 bits.
    ///
    /// `Int(exactly:)` would need the C library for mathematics in a build for debugging. A program that uses only this module does not link that
    /// library.
    @usableFromInline
    init?(withoutFraction number: Double) {
        guard number >= -0x1p63, number < 0x1p63, Double(Int(number)) == number else { return nil }
        self = Int(number)
    }
}

extension Double: ScreenValue {
    public typealias Bound = Double

    public static var valueSchema: ValueSchema { ValueSchema(.number) }

    @inlinable
    public init?(screenValue: Value) {
        guard let double = screenValue.double else { return nil }
        self = double
    }

    @inlinable
    public var screenValue: Value { Value(self) }
}

/// A value without a declared type.
extension Value: ScreenValue {
    public static var valueSchema: ValueSchema { ValueSchema(.any) }

    @inlinable
    public init?(screenValue: Value) { self = screenValue }

    @inlinable
    public var screenValue: Value { self }
}

/// The message's text. A message is never the value of a field.
extension Message: ScreenValue {
    public static var valueSchema: ValueSchema { ValueSchema(.string) }

    /// Returns `nil`, because no client can send a message.
    public convenience init?(screenValue: Value) { nil }

    @inlinable
    public var screenValue: Value { .string(text) }

    @inlinable
    public var screenMessage: Message? { self }
}

/// A value or null, as a text field whose text is `nil`. The client must send the field at least once.
extension Optional: ScreenValue where Wrapped: ScreenValue {
    public typealias Bound = Wrapped.Bound

    public static var valueSchema: ValueSchema { ValueSchema(of: Wrapped.self).optional }

    @inlinable
    public init?(screenValue: Value) {
        if screenValue == .null {
            self = Optional.none
        } else if let wrapped = Wrapped(screenValue: screenValue) {
            self = wrapped
        } else {
            return nil
        }
    }

    @inlinable
    public var screenValue: Value { self?.screenValue ?? .null }

    @inlinable
    public var screenMessage: Message? { self?.screenMessage }
}

/// A list. A range is that of its elements.
extension Array: ScreenValue where Element: ScreenValue {
    public typealias Bound = Element.Bound

    public static var valueSchema: ValueSchema { ValueSchema(.array(ValueSchema(of: Element.self))) }

    @inlinable
    public init?(screenValue: Value) {
        guard case .array(let values) = screenValue else { return nil }
        self = []
        reserveCapacity(values.count)
        for value in values {
            guard let element = Element(screenValue: value) else { return nil }
            append(element)
        }
    }

    @inlinable
    // A key path would be created anew for each list, because its type is generic.
    public var screenValue: Value { .array(map { $0.screenValue }) }
}
