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
///         Member(as: Field("count", in: 1...99), \.count)
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
    public static var valueSchema: ValueSchema { ValueSchema(.object(object.members), of: Self.self) }

    public init?(screenValue: Value) {
        guard case .object(let members) = screenValue, let value = Self.object.read(members) else { return nil }
        self = value
    }

    public var screenValue: Value { .object(Self.object.write(self)) }
}

/// The members of an ``ObjectValue``, and how a value is created from them.
public struct ObjectSchema<Root>: Sendable {
    let members: [FieldDeclaration]
    /// Returns `nil` if a member is missing or invalid.
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
        (self.members, values) = Self.lists(repeat each members)
        read = { object in
            try? make(repeat (each members).content(in: object))
        }
    }

    /// Describes a structure that outputs show and no field contains: no value is created from its members.
    ///
    /// - Parameter members: the members, whose names differ.
    @_semantics("optimize.no.crossmodule")
    package init<each Content: ScreenValue>(showing members: repeat Member<Root, each Content>) {
        (self.members, values) = Self.lists(repeat each members)
        read = { _ in nil }
    }

    /// Describes a structure that outputs show, with the members of one of its properties before its own.
    @_semantics("optimize.no.crossmodule")
    package init<Part, each Content: ScreenValue>(
        showing part: ObjectSchema<Part>,
        of get: @escaping @Sendable (Root) -> Part,
        _ members: repeat Member<Root, each Content>
    ) {
        let (declared, values) = Self.lists(repeat each members)
        self.members = part.members + declared
        self.values = part.values.map { value in { value(get($0)) } } + values
        read = { _ in nil }
    }

    private static func lists<each Content: ScreenValue>(
        _ members: repeat Member<Root, each Content>
    ) -> ([FieldDeclaration], [@Sendable (Root) -> Value]) {
        var declared: [FieldDeclaration] = []
        repeat declared.append((each members).field.declaration)
        requireDeclaration(Set(declared.map(\.name)).count == declared.count, "\(Root.self) declares a member twice")
        var values: [@Sendable (Root) -> Value] = []
        repeat values.append((each members).value)
        return (declared, values)
    }

    func write(_ root: Root) -> Value.Object {
        var object = Value.Object(capacity: members.count)
        for index in members.indices { object.append(members[index].name, values[index](root)) }
        return object
    }
}

/// A member of an ``ObjectValue``.
public struct Member<Root, Content: ScreenValue>: Sendable {
    let field: Field<Content>
    fileprivate let value: @Sendable (Root) -> Value

    /// Declares a member that an object must contain.
    ///
    /// - Parameters:
    ///   - name: the member's name in the object.
    ///   - get: returns the member: a key path such as `\.count`.
    public init(_ name: String, _ get: @escaping @Sendable (Root) -> Content) {
        self.init(as: Field(member: name), get)
    }

    /// Declares a member as a field of that name: with its constraints and description, and whether it is secret or may be absent.
    ///
    /// - Parameters:
    ///   - field: the declaration. `fromLink` has no meaning for a member.
    ///   - get: returns the member: a key path such as `\.count`.
    // With a label, because the compiler takes seconds for ten members if two initialisers have the same.
    public init(as field: Field<Content>, _ get: @escaping @Sendable (Root) -> Content) {
        self.field = field
        value = { get($0).screenValue }
    }

    private struct InvalidMember: Error {}

    fileprivate func content(in object: Value.Object) throws -> Content {
        guard let value = object[field.name] ?? field.declaration.whenAbsent, let content = Content(screenValue: value)
        else { throw InvalidMember() }
        return content
    }
}
