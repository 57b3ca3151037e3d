/// Why a value that a client sent, or did not send, cannot reach the controller.
public struct FieldFault: Equatable, Sendable {
    /// What is wrong.
    public enum Reason: Equatable, Sendable {
        /// There is no value.
        case missing
        /// No event reads a field of that name, or the object has no such member. These are the known ones.
        case unknown([String])
        /// The value is of another type or format.
        case wrongType(ExpectedValue)
        /// The text has more Unicode code points than that.
        case tooLong(maximum: Int)
        /// The text has fewer Unicode code points than that.
        case tooShort(minimum: Int)
        /// The number, date or time is outside of this range.
        case outOfRange(minimum: Value, maximum: Value)
        /// The text is not one of these.
        case unknownChoice([String])
        /// The list has more or fewer elements.
        case wrongCount(ClosedRange<Int>)
    }

    /// The name of the field.
    public let field: String
    /// Where the value is in what the client sent (RFC 6901): `/lines/0/size`.
    public let pointer: String
    /// What is wrong.
    public let reason: Reason
    /// Advice for this request, as a sentence; `nil` if there is no advice.
    package var advice: String?

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - field: the name of the field.
    ///   - reason: what is wrong.
    ///   - pointer: where the value is (RFC 6901); `nil` for the field itself.
    public init(_ field: String, _ reason: Reason, pointer: String? = nil) {
        self.field = field
        self.reason = reason
        self.pointer = pointer ?? "/" + field.pointerToken
    }

    /// Whether both are the same fault of the same value. Advice does not count.
    public static func == (left: FieldFault, right: FieldFault) -> Bool {
        left.field == right.field && left.pointer == right.pointer && left.reason == right.reason
    }
}

/// What a field accepts, for an error about another value.
public struct ExpectedValue: Equatable, Sendable {
    /// The JSON type of the value.
    public let type: JSONType
    /// The format of the value; `nil` for any.
    public let format: String?
    /// A valid value.
    public let example: Value

    /// Creates a description of a field's values.
    public init(_ type: JSONType, format: String? = nil, example: Value) {
        self.type = type
        self.format = format
        self.example = example
    }
}

extension String {
    /// The name in a JSON pointer (RFC 6901, section 3).
    package var pointerToken: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return self }
        var token = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(scalar)
            }
        }
        return token
    }
}

/// A field, or a value inside of it, to which `path` points from the field.
struct ValuePlace {
    let field: String
    var path = ""

    func member(_ name: String) -> ValuePlace { ValuePlace(field: field, path: "\(path)/\(name.pointerToken)") }

    func element(_ index: Int) -> ValuePlace { ValuePlace(field: field, path: "\(path)/\(index)") }
}

/// The faults of an event's values, up to a maximum number, so that a small request cannot cause a large response.
package struct FieldFaults: Sendable {
    package private(set) var all: [FieldFault] = []
    /// Where the values are in what the client sent: `/values`, or nothing.
    package let prefix: String

    package static let maximumCount = 100

    package static let none = FieldFaults(below: "")
    package static let belowValues = FieldFaults(below: "/values")

    package init(below prefix: String = "") {
        self.prefix = prefix
    }

    package var isEmpty: Bool { all.isEmpty }
    package var isFull: Bool { all.count >= Self.maximumCount }

    package mutating func add(_ field: String, _ reason: FieldFault.Reason) { add(ValuePlace(field: field), reason) }

    mutating func add(_ place: ValuePlace, _ reason: FieldFault.Reason) {
        guard !isFull else { return }
        all.append(FieldFault(place.field, reason, pointer: prefix + "/" + place.field.pointerToken + place.path))
    }

    package mutating func advise(_ advice: String) {
        if let last = all.indices.last { all[last].advice = advice }
    }

    func concern(_ field: String) -> Bool { all.contains { $0.field.hasSameBytes(as: field) } }
}
