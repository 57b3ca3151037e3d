public import BusinessLogic

/// A product of the list and the detail page (article "Model View Presenter on iOS").
public struct Product: Equatable, Codable, Sendable {
    /// The name. No two products have the same name.
    public let name: String
    /// The description; may be empty.
    public let description: String
    /// The name of the image.
    public let image: String

    /// Creates a product.
    public init(name: String, description: String, image: String) {
        self.name = name
        self.description = description
        self.image = image
    }

    /// Whether this is the product that a client names, by the bytes of the listed name.
    func isNamed(_ name: String) -> Bool {
        self.name.hasSameBytes(as: name)
    }
}

/// An object with the product's properties.
extension Product: OutputValue {
    public static let outputType = OutputType.object([
        OutputType.Member("name", .string), OutputType.Member("description", .string),
        OutputType.Member("image", .string),
    ])

    public var outputValue: Value {
        // A literal would be searched for members of the same name.
        var members = Value.Object(capacity: 3)
        members.append("name", .string(name))
        members.append("description", .string(description))
        members.append("image", .string(image))
        return .object(members)
    }
}
