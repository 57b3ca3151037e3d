/// A value that controllers and screens exchange: the content of a text field, a label or a list.
///
/// The cases are those of JSON (RFC 8259), so that every value reaches a client and returns unchanged.
public enum Value: Equatable, Sendable {
    /// No value: an empty field or output.
    case null
    /// A truth value.
    case boolean(Bool)
    /// A number.
    case number(Number)
    /// A text.
    case string(String)
    /// A list of values.
    case array([Value])
    /// Values by name.
    case object(Object)

    /// A number. Integers are exact: 2^53 + 1 does not change.
    public enum Number: Equatable, Sendable {
        /// A whole number.
        case integer(Int)
        /// A floating-point number.
        case double(Double)

        /// Whether both are the same number: 13 and 13.0 are.
        public static func == (left: Number, right: Number) -> Bool {
            switch (left, right) {
            case (.integer(let left), .integer(let right)): left == right
            case (.double(let left), .double(let right)): left == right
            case (.integer(let integer), .double(let double)), (.double(let double), .integer(let integer)):
                Double(exactly: integer) == double
            }
        }
    }

    /// Members in insertion order. Objects with the same members are equal in any order. Names are compared byte by byte.
    public struct Object: Sendable {
        // Not tuples, because arrays of tuples need metadata lookups at run time.
        struct Entry: Sendable {
            let name: String
            var value: Value
        }

        private(set) var members: [Entry]

        /// Creates an empty object.
        public init() {
            members = []
        }

        package init(capacity: Int) {
            members = []
            members.reserveCapacity(capacity)
        }

        /// The value of the member with that name. Setting `nil` removes the member. A new name is appended.
        public subscript(name: String) -> Value? {
            get { index(of: name).map { members[$0].value } }
            set {
                if let newValue {
                    setValue(newValue, for: name)
                } else if let index = index(of: name) {
                    remove(at: index)
                }
            }
        }

        /// Sets the value of the member with that name, and returns the member's position. A new name is appended.
        @discardableResult
        mutating func setValue(_ value: consuming Value, for name: String) -> Int {
            guard let index = index(of: name) else {
                append(name, value)
                return members.count - 1
            }
            members[index].value = value
            return index
        }

        mutating func compact() { members.compact() }

        private mutating func remove(at index: Int) {
            if index == members.count - 1 { members.removeLast() } else { members.remove(at: index) }
        }

        /// Whether there is a member with that name.
        public func contains(_ name: String) -> Bool { index(of: name) != nil }

        /// A linear search, because objects have few members.
        private func index(of name: String) -> Int? { members.firstIndex { $0.name.hasSameBytes(as: name) } }

        /// Does not look for the name, which the object must not contain yet.
        package mutating func append(_ name: consuming String, _ value: consuming Value) {
            members.append(Entry(name: name, value: value))
        }
    }

    /// Whether both have the same kind and the same content. Texts are compared byte by byte, as clients receive them.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// The text; `nil` if the value is not a text.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The truth value; `nil` if the value is not a truth value.
    public var boolean: Bool? {
        if case .boolean(let boolean) = self { boolean } else { nil }
    }

    /// The object; `nil` if the value is not an object.
    public var object: Object? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements; `nil` if the value is not an array.
    public var array: [Value]? {
        if case .array(let array) = self { array } else { nil }
    }

    /// The integer; `nil` if the value is not an integer.
    public var integer: Int? {
        if case .number(.integer(let integer)) = self { integer } else { nil }
    }

    /// The number as a double; `nil` if the value is not a number.
    public var double: Double? {
        switch self {
        case .number(.integer(let integer)): Double(integer)
        case .number(.double(let double)): double
        default: nil
        }
    }

    /// Setting `nil` removes the member. Does nothing if the value is not an object.
    package subscript(name: String) -> Value? {
        get { object?[name] }
        set {
            guard var object else { return }
            object[name] = newValue
            self = .object(object)
        }
    }

    /// Creates a text, or null if `string` is `nil`.
    public init(_ string: String?) {
        self = string.map(Value.string) ?? .null
    }

    /// Creates an integer.
    public init(_ integer: Int) {
        self = .number(.integer(integer))
    }

    /// Creates a floating-point number.
    public init(_ double: Double) {
        self = .number(.double(double))
    }
}

extension Value.Object: Equatable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }

    public var startIndex: Int { members.startIndex }
    public var endIndex: Int { members.endIndex }

    public subscript(position: Int) -> (name: String, value: Value) {
        (members[position].name, members[position].value)
    }

    /// Creates an object. If a name occurs twice, the object contains its last value.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements)
    }

    /// If a name occurs twice, the object contains its last value.
    package init(_ members: some Sequence<(String, Value)>) {
        self.init(capacity: members.underestimatedCount)
        for (name, value) in members { setValue(value, for: name) }
    }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(integerLiteral value: Int) { self = .number(.integer(value)) }
    public init(floatLiteral value: Double) { self = .number(.double(value)) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, Value)...) { self = .object(Object(elements)) }
}
