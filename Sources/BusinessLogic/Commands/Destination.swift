/// A page that a controller can go to, with the Swift types of the values that the page receives.
///
/// ```swift
/// public static var product: Destination {
///     Destination("ProductDetail", page: "product", ProductDetailPresenter.product)
/// }
/// ```
///
/// Declare it in an extension `where Values == String`, so that the compiler checks what a controller passes:
///
/// ```swift
/// goToPage(.product, item.name)
/// ```
public struct Destination<Values>: Sendable {
    package private(set) var declaration: DestinationDeclaration

    /// The name in the `goToPage` command, by which a screen finds what to show.
    public var name: String { declaration.name }

    /// Declares a destination.
    ///
    /// - Parameters:
    ///   - name: the name in the `goToPage` command.
    ///   - page: the name of the page, if it is another; `nil` for the same name.
    ///   - fields: the fields of the page's default event that the destination fills in.
    // Without the attribute, cross-module optimisation crashes the compiler (Swift 6.3) at the parameter pack.
    @_semantics("optimize.no.crossmodule")
    public init<each Content: ScreenValue>(_ name: String, page: String? = nil, _ fields: repeat Field<each Content>)
    where Values == (repeat each Content) {
        var declarations: [FieldDeclaration] = []
        repeat declarations.append((each fields).declaration)
        declaration = DestinationDeclaration(name: name, page: page ?? name, fields: declarations)
    }

    /// Declares a destination that is a screen of the client, and not a page with a controller: its settings, say.
    ///
    /// - Parameters:
    ///   - name: the name in the `goToPage` command.
    ///   - fields: the values that the screen receives.
    // Without the attribute, cross-module optimisation crashes the compiler (Swift 6.3) at the parameter pack.
    @_semantics("optimize.no.crossmodule")
    public static func ofClient<each Content: ScreenValue>(
        _ name: String,
        _ fields: repeat Field<each Content>
    ) -> Destination where Values == (repeat each Content) {
        var destination = Destination(name, repeat each fields)
        destination.declaration.page = nil
        return destination
    }
}

/// A ``Destination`` without its Swift types.
package struct DestinationDeclaration: Equatable, Sendable {
    /// The name in the `goToPage` command.
    package let name: String
    /// `nil` if the destination is a screen of the client without a controller.
    package fileprivate(set) var page: String?
    /// The destination fills them in.
    package let fields: [FieldDeclaration]

    func accepts(_ values: Value.Object) -> Bool {
        values.count == fields.count
            && fields.allSatisfy { field in values[field.name].map { field.schema.accepts($0) } ?? false }
    }
}

extension Command {
    /// Go to a page with this value. Swift 6.3 cannot infer a pack of one value from `.goToPage(.product, "Car")`.
    public static func goToPage<Content: ScreenValue>(_ destination: Destination<Content>, _ value: Content) -> Command
    {
        var object: Value.Object = [:]
        for field in destination.declaration.fields { object[field.name] = value.screenValue }
        return .goToPage(name: destination.declaration.name, values: object)
    }

    /// Go to a page with these values.
    // Without the attribute, cross-module optimisation crashes the compiler (Swift 6.3) at the parameter pack.
    @_semantics("optimize.no.crossmodule")
    public static func goToPage<each Content: ScreenValue>(
        _ destination: Destination<(repeat each Content)>,
        _ values: repeat each Content
    ) -> Command {
        var object: Value.Object = [:]
        var index = 0
        let fields = destination.declaration.fields
        repeat object.add((each values).screenValue, for: fields, &index)
        return .goToPage(name: destination.declaration.name, values: object)
    }
}

extension Value.Object {
    fileprivate mutating func add(_ value: Value, for fields: [FieldDeclaration], _ index: inout Int) {
        setValue(value, for: fields[index].name)
        index += 1
    }
}
