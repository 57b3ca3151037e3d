/// A value of the screen that events read, with its Swift type.
///
/// ```swift
/// static let name = Field<String>("name", maximumLength: 80)
/// static let guests = Field<Int>("guests", in: 1...12)
/// static let newsletter = Field<Bool>("newsletter").whenAbsent(false)
/// ```
///
/// A controller receives only values that conform to the declaration.
public struct Field<Content: ScreenValue>: Sendable {
    @usableFromInline
    package private(set) var declaration: FieldDeclaration

    /// The key of ``Controllable/getValue(_:)``.
    public var name: String { declaration.name }

    /// Declares a field that the screen must contain; see ``whenAbsent(_:)``.
    ///
    /// Traps if the type cannot have one of the constraints, such as a length that is not a text's.
    ///
    /// - Parameters:
    ///   - name: the key of ``Controllable/getValue(_:)``.
    ///   - isSecret: whether the value is discarded after its event, and never, logged or recorded.
    ///   - fromLink: whether a link may fill the field although it is secret, such as the code in a mail.
    ///   - fromAgent: whether an agent may fill the field although it is secret, so that a model knows the value. An agent does not see the
    ///     events that read another secret field.
    ///   - range: the values that are valid, of a number, a date or a time; of a list, those of its elements.
    ///   - minimumLength: the minimum number of Unicode code points of a text.
    ///   - maximumLength: the maximum number of Unicode code points of a text, at least 0; `nil` for the type's usual maximum.
    ///   - count: the valid numbers of a list's elements; `nil` for at most 100.
    ///   - fractionDigits: the maximum number of fraction digits of an ``Amount``; `nil` for 2.
    ///   - format: which texts are valid; `nil` for all.
    ///   - description: what the field means, for the users of the service.
    public init(
        _ name: String,
        isSecret: Bool = false,
        fromLink: Bool = false,
        fromAgent: Bool = false,
        in range: ClosedRange<Content.Bound>? = nil,
        minimumLength: Int = 0,
        maximumLength: Int? = nil,
        count: ClosedRange<Int>? = nil,
        fractionDigits: Int? = nil,
        format: TextFormat? = nil,
        description: String? = nil
    ) {
        requireDeclaration(!(Content.self is Message.Type), "the field '\(name)' cannot be a message")
        let constraints = ValueSchema.Constraints(
            range: range.map { ValueRange($0) },
            minimumLength: minimumLength,
            maximumLength: maximumLength,
            count: count,
            fractionDigits: fractionDigits,
            format: format
        )
        declaration = FieldDeclaration(
            name,
            ValueSchema(of: Content.self).constrained(constraints, in: name),
            isSecret: isSecret,
            isFromLink: fromLink,
            isFromAgent: fromAgent,
            description: description
        )
    }

    /// Declares a member of an object, which may also be a message.
    init(member name: String) {
        declaration = FieldDeclaration(name, ValueSchema(of: Content.self))
    }

    /// The same field, which the screen need not contain: a check box that is not ticked, or a value that a client leaves out.
    ///
    /// - Parameter value: the value if the screen contains none. The screen of a session keeps the last value that a client has sent.
    public func whenAbsent(_ value: Content) -> Field {
        var field = self
        field.declaration.whenAbsent = value.screenValue
        return field
    }
}

/// Fields are equal if their declarations are.
extension Field: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
