/// A Swift type that a ``Field`` can contain.
///
/// `String`, `Bool`, `Int`, `Double` and optionals of them conform. Conform your own type if it does not
/// accept every text or number. A client that sends an invalid value gets an error with the kind, the format and the
/// example, and the controller does not run:
///
/// ```swift
/// struct PhoneNumber: FieldValue, Codable {
///     static let fieldKind = FieldKind.string
///     static let fieldFormat: String? = "phone"
///     static let fieldExample: Value = "+49 30 123456"
///
///     let text: String
///     var fieldValue: Value { .string(text) }
///
///     init?(fieldValue: Value) {
///         guard let text = fieldValue.string?.filter({ $0 != " " }), text.wholeMatch(of: /\+[0-9]{7,15}/) != nil else {
///             return nil
///         }
///         self.text = text
///     }
/// }
/// ```
public protocol FieldValue: Sendable {
    /// The JSON type of the value.
    static var fieldKind: FieldKind { get }
    /// The format of the JSON value, in the words of JSON Schema or your own: `date`, `uri`. The default is `nil`, for any.
    static var fieldFormat: String? { get }
    /// A valid value, for errors and the OpenAPI document. The default depends on the kind.
    static var fieldExample: Value { get }
    /// The maximum number of Unicode code points of a text, if the field does not declare another. The default is 1,024.
    static var fieldMaximumLength: Int { get }
    /// Whether the value may be null. The default is `false`; an optional returns `true`.
    static var fieldIsOptional: Bool { get }

    /// Converts what the screen contains. Returns `nil` if that is not a valid value of this type.
    init?(fieldValue: Value)

    /// The value as a screen contains it. `init(fieldValue:)` converts it back.
    var fieldValue: Value { get }
}

extension FieldValue {
    public static var fieldFormat: String? { nil }
    public static var fieldMaximumLength: Int { 1024 }
    public static var fieldIsOptional: Bool { false }

    public static var fieldExample: Value {
        switch fieldKind {
        case .string: "text"
        case .number, .integer: 1
        case .boolean: true
        }
    }
}

extension String: FieldValue {
    public static var fieldKind: FieldKind { .string }

    @inlinable
    public init?(fieldValue: Value) {
        guard case .string(let text) = fieldValue else { return nil }
        self = text
    }

    public var fieldValue: Value { .string(self) }
}

extension Bool: FieldValue {
    public static var fieldKind: FieldKind { .boolean }

    @inlinable
    public init?(fieldValue: Value) {
        guard case .boolean(let boolean) = fieldValue else { return nil }
        self = boolean
    }

    public var fieldValue: Value { .boolean(self) }
}

extension Int: FieldValue {
    public static var fieldKind: FieldKind { .integer }

    @inlinable
    public init?(fieldValue: Value) {
        switch fieldValue {
        case .number(.integer(let integer)): self = integer
        case .number(.double(let double)): self.init(withoutFraction: double)
        default: return nil
        }
    }

    public var fieldValue: Value { Value(self) }
}

extension Int {
    /// The integer with the same value; `nil` if the number has a fraction or does not fit into 64 bits.
    ///
    /// `Int(exactly:)` would need the C library for mathematics in a build for debugging. A program that uses only this module does
    /// not link it.
    @usableFromInline
    init?(withoutFraction number: Double) {
        guard number >= -0x1p63, number < 0x1p63, Double(Int(number)) == number else { return nil }
        self = Int(number)
    }
}

extension Double: FieldValue {
    public static var fieldKind: FieldKind { .number }

    @inlinable
    public init?(fieldValue: Value) {
        guard let double = fieldValue.double else { return nil }
        self = double
    }

    public var fieldValue: Value { Value(self) }
}

/// A value or null, as a text field whose text is `nil`. The client must send the field at least once.
extension Optional: FieldValue where Wrapped: FieldValue {
    public static var fieldKind: FieldKind { Wrapped.fieldKind }
    public static var fieldFormat: String? { Wrapped.fieldFormat }
    public static var fieldExample: Value { Wrapped.fieldExample }
    public static var fieldMaximumLength: Int { Wrapped.fieldMaximumLength }
    public static var fieldIsOptional: Bool { true }

    @inlinable
    public init?(fieldValue: Value) {
        if fieldValue == .null {
            self = Optional.none
        } else if let wrapped = Wrapped(fieldValue: fieldValue) {
            self = wrapped
        } else {
            return nil
        }
    }

    public var fieldValue: Value { self?.fieldValue ?? .null }
}
