/// A value of the screen that events read, with its Swift type.
///
/// ```swift
/// static let name = Field<String>("name", maximumLength: 80)
/// static let newsletter = Field<Bool>("newsletter", whenAbsent: false)
/// ```
public struct Field<Content: FieldValue>: Sendable {
    /// The field without its Swift type.
    @usableFromInline
    package let declaration: FieldDeclaration

    /// The key of ``Controllable/getValue(_:)``.
    public var name: String { declaration.name }

    /// Declares a field that the screen must contain.
    ///
    /// - Parameters:
    ///   - name: the key of ``Controllable/getValue(_:)``.
    ///   - isSecret: whether the value is discarded after its event, and never logged or recorded.
    ///   - maximumLength: the maximum number of Unicode code points of a text, at least 0; `nil` for the type's usual maximum.
    ///   - description: what the field means, for the users of the service.
    public init(_ name: String, isSecret: Bool = false, maximumLength: Int? = nil, description: String? = nil) {
        self.init(name, isSecret: isSecret, maximumLength: maximumLength, description: description, absent: nil)
    }

    /// Declares a field that the screen need not contain: a check box that is not ticked, or a value that a client leaves out.
    ///
    /// - Parameters:
    ///   - name: the key of ``Controllable/getValue(_:)``.
    ///   - isSecret: whether the value is discarded after its event, and never logged or recorded.
    ///   - maximumLength: the maximum number of Unicode code points of a text, at least 0; `nil` for the type's usual maximum.
    ///   - description: what the field means, for the users of the service.
    ///   - whenAbsent: the value if the screen contains none.
    public init(
        _ name: String,
        isSecret: Bool = false,
        maximumLength: Int? = nil,
        description: String? = nil,
        whenAbsent: Content
    ) {
        self.init(name, isSecret: isSecret, maximumLength: maximumLength, description: description, absent: whenAbsent)
    }

    private init(_ name: String, isSecret: Bool, maximumLength: Int?, description: String?, absent: Content?) {
        declaration = FieldDeclaration(
            name,
            Content.self,
            isSecret: isSecret,
            maximumLength: maximumLength ?? Content.fieldMaximumLength,
            description: description,
            whenAbsent: absent?.fieldValue
        )
    }
}
