/// A structure that a field contains or an output shows as an object. Declare it once, by its initialiser and its members:
///
/// ```swift
/// struct Line: ObjectValue {
///     var product: String, size: Size, count: Int
///
///     static let object = ObjectSchema(
///         Line.init(product:size:count:),
///         Member("product", \.product),
///         Member("size", \.size),
///         Member("count", \.count, in: 1...99)
///     )
/// }
/// ```
///
/// The members are in the order of the initialiser's parameters. A structure cannot contain itself.
public protocol ObjectValue: ScreenValue {
    /// How a value is created, and its members.
    static var object: ObjectSchema<Self> { get }
}

extension ObjectValue {
    public static var valueSchema: ValueSchema { ValueSchema(members: object.members, of: Self.self) }

    public init?(screenValue: Value) {
        guard case .object(let members) = screenValue, let value = Self.object.read(members) else { return nil }
        self = value
    }

    public var screenValue: Value { .object(Self.object.write(self)) }
}

/// The members of an ``ObjectValue``, and how a value is created from them.
public struct ObjectSchema<Root>: Sendable {
    let members: [ValueSchema.Member]
    /// Creates a value; returns `nil` if a member is missing or invalid.
    let read: @Sendable (Value.Object) -> Root?
    /// Returns a member of a value, in the order of ``members``. One function for each, because using a parameter pack takes thousands of
    /// instructions.
    private let values: [@Sendable (Root) -> Value]

    /// Describes a structure.
    ///
    /// - Parameters:
    ///   - make: creates a value. It receives the members in their order.
    ///   - members: the members, whose names differ.
    // Without the attribute, cross-module optimisation crashes the compiler (Swift 6.3) at the parameter pack.
    @_semantics("optimize.no.crossmodule")
    public init<each Content: ScreenValue>(
        _ make: @escaping @Sendable (repeat each Content) -> Root,
        _ members: repeat Member<Root, each Content>
    ) {
        var declared: [ValueSchema.Member] = []
        repeat declared.append((each members).declaration)
        precondition(Set(declared.map(\.name)).count == declared.count, "\(Root.self) declares a member twice")
        var values: [@Sendable (Root) -> Value] = []
        repeat values.append((each members).value)
        self.members = declared
        self.values = values
        read = { object in
            try? make(repeat (each members).content(in: object))
        }
    }

    /// The members of a value.
    func write(_ root: Root) -> Value.Object {
        var object = Value.Object(capacity: members.count)
        for index in members.indices { object.append(members[index].name, values[index](root)) }
        return object
    }
}

/// A member of an ``ObjectValue``.
public struct Member<Root, Content: ScreenValue>: Sendable {
    /// The member without its Swift type.
    let declaration: ValueSchema.Member
    private let whenAbsent: Content?
    /// Returns the member of a value.
    fileprivate let value: @Sendable (Root) -> Value

    /// Declares a member that an object must contain.
    ///
    /// Traps if the type cannot have one of the constraints, such as a length that is not a text's.
    ///
    /// - Parameters:
    ///   - name: the member's name in the object.
    ///   - get: returns the member: a key path such as `\.count`.
    ///   - isSecret: whether the value is never kept, logged or recorded.
    ///   - range: the values that are valid, of a number, a date or a time; of a list, those of its elements.
    ///   - minimumLength: the minimum number of Unicode code points of a text.
    ///   - maximumLength: the maximum number of Unicode code points of a text, at least 0; `nil` for the type's usual maximum.
    ///   - count: the valid numbers of a list's elements; `nil` for at most 100.
    ///   - fractionDigits: the maximum number of fraction digits of an ``Amount``; `nil` for 2.
    ///   - format: which texts are valid; `nil` for all.
    ///   - description: what the member means, for the users of the service.
    public init(
        _ name: String,
        _ get: @escaping @Sendable (Root) -> Content,
        isSecret: Bool = false,
        in range: ClosedRange<Content.Bound>? = nil,
        minimumLength: Int = 0,
        maximumLength: Int? = nil,
        count: ClosedRange<Int>? = nil,
        fractionDigits: Int? = nil,
        format: TextFormat? = nil,
        description: String? = nil
    ) {
        self.init(
            name,
            get,
            isSecret,
            ValueSchema.Constraints(range, minimumLength, maximumLength, count, fractionDigits, format),
            description,
            absent: nil
        )
    }

    /// Declares a member that an object need not contain.
    ///
    /// Traps if the type cannot have one of the constraints, such as a length that is not a text's.
    ///
    /// - Parameters:
    ///   - name: the member's name in the object.
    ///   - get: returns the member: a key path such as `\.count`.
    ///   - isSecret: whether the value is never kept, logged or recorded.
    ///   - range: the values that are valid, of a number, a date or a time; of a list, those of its elements.
    ///   - minimumLength: the minimum number of Unicode code points of a text.
    ///   - maximumLength: the maximum number of Unicode code points of a text, at least 0; `nil` for the type's usual maximum.
    ///   - count: the valid numbers of a list's elements; `nil` for at most 100.
    ///   - fractionDigits: the maximum number of fraction digits of an ``Amount``; `nil` for 2.
    ///   - format: which texts are valid; `nil` for all.
    ///   - description: what the member means, for the users of the service.
    ///   - whenAbsent: the value if an object does not contain the member.
    public init(
        _ name: String,
        _ get: @escaping @Sendable (Root) -> Content,
        isSecret: Bool = false,
        in range: ClosedRange<Content.Bound>? = nil,
        minimumLength: Int = 0,
        maximumLength: Int? = nil,
        count: ClosedRange<Int>? = nil,
        fractionDigits: Int? = nil,
        format: TextFormat? = nil,
        description: String? = nil,
        whenAbsent: Content
    ) {
        self.init(
            name,
            get,
            isSecret,
            ValueSchema.Constraints(range, minimumLength, maximumLength, count, fractionDigits, format),
            description,
            absent: whenAbsent
        )
    }

    private init(
        _ name: String,
        _ get: @escaping @Sendable (Root) -> Content,
        _ isSecret: Bool,
        _ constraints: ValueSchema.Constraints,
        _ description: String?,
        absent: Content?
    ) {
        declaration = ValueSchema.Member(
            name: name,
            schema: ValueSchema(of: Content.self).constrained(constraints, in: name),
            isSecret: isSecret,
            description: description,
            whenAbsent: absent?.screenValue
        )
        whenAbsent = absent
        value = { get($0).screenValue }
    }

    private struct InvalidMember: Error {}

    fileprivate func content(in object: Value.Object) throws -> Content {
        guard let value = object[declaration.name] else {
            guard let whenAbsent else { throw InvalidMember() }
            return whenAbsent
        }
        guard let content = Content(screenValue: value) else { throw InvalidMember() }
        return content
    }
}
