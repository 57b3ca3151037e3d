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
    func isNamed(_ name: String) -> Bool { self.name.hasSameBytes(as: name) }
}

/// An object with the product's properties.
extension Product: ObjectValue {
    public static let object = ObjectSchema(
        Product.init(name:description:image:),
        Member("name", \.name),
        Member("description", \.description),
        Member("image", \.image)
    )
}
