/// What a text field, a label or a list on a screen holds: the values that controllers and screens exchange.
///
/// The kinds are JSON's (RFC 8259), so that any value can travel to a client and back unchanged.
public enum Value: Equatable, Sendable {
    /// Nothing: a place that is empty.
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

    /// A number that keeps integers exact: 2^53 + 1 stays what it is.
    public enum Number: Equatable, Sendable {
        /// A whole number.
        case integer(Int)
        /// A number as floating point has it.
        case double(Double)
    }

    /// Members in the order in which they were given; two objects with the same members are equal in any order. Names are
    /// compared byte by byte.
    public struct Object: Sendable {
        // Not tuples: what is done to arrays of those is looked up at run time.
        struct Member: Sendable {
            let name: String
            var value: Value
        }

        private(set) var members: [Member]

        /// An object without members.
        public init() {
            members = []
        }

        /// An object without members, and with room for some.
        package init(capacity: Int) {
            members = []
            members.reserveCapacity(capacity)
        }

        /// The value of the member of that name. Setting `nil` removes the member; a new name goes to the end.
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

        /// Gives the member of that name a value; a new name goes to the end.
        mutating func setValue(_ value: consuming Value, for name: String) {
            if let index = index(of: name) {
                members[index].value = value
            } else {
                append(name, value)
            }
        }

        /// Gives back the room for members that there are not yet.
        mutating func compact() {
            members.compact()
        }

        private mutating func remove(at index: Int) {
            if index == members.count - 1 { members.removeLast() } else { members.remove(at: index) }
        }

        /// Whether there is a member of that name.
        public func contains(_ name: String) -> Bool {
            index(of: name) != nil
        }

        private func index(of name: String) -> Int? {
            // Objects have few members, so that looking at each is quicker than a table.
            var index = 0
            while index < members.count {
                if members[index].name.hasSameBytes(as: name) { return index }
                index += 1
            }
            return nil
        }

        /// Adds a member whose name is known not to be there yet, without looking for it.
        public mutating func append(_ name: consuming String, _ value: consuming Value) {
            members.append(Member(name: name, value: value))
        }
    }
}

extension Value {
    /// The text, where the value is one.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The truth value, where the value is one.
    public var boolean: Bool? {
        if case .boolean(let boolean) = self { boolean } else { nil }
    }

    /// The members, where the value is an object.
    public var object: Object? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements, where the value is an array.
    public var array: [Value]? {
        if case .array(let array) = self { array } else { nil }
    }

    /// The integer, where the value is a number that is one.
    public var integer: Int? {
        if case .number(.integer(let integer)) = self { integer } else { nil }
    }

    /// The number, a whole one or not, where the value is one.
    public var double: Double? {
        switch self {
        case .number(.integer(let integer)): Double(integer)
        case .number(.double(let double)): double
        default: nil
        }
    }

    /// The text, or null where there is none.
    public init(_ string: String?) {
        self = string.map(Value.string) ?? .null
    }

    /// The whole number.
    public init(_ integer: Int) {
        self = .number(.integer(integer))
    }

    /// The number.
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

    /// An object of the given members. A name that stands twice keeps its last value.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(capacity: elements.count)
        for (name, value) in elements { setValue(value, for: name) }
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
    public init(dictionaryLiteral elements: (String, Value)...) {
        var object = Object(capacity: elements.count)
        for (name, value) in elements { object.setValue(value, for: name) }
        self = .object(object)
    }
}
