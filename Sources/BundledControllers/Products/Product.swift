public import BusinessLogic

/// Something to look at in a list and in detail (article "Model View Presenter on iOS").
public struct Product: Equatable, Codable, Sendable {
    /// What it is called; no two products share a name.
    public let name: String
    /// What there is to say of it; may be empty.
    public let description: String
    /// The name of its picture.
    public let image: String

    /// A product.
    public init(name: String, description: String, image: String) {
        self.name = name
        self.description = description
        self.image = image
    }

    /// Whether this is the product that a client names, by the bytes of the name as it was listed.
    func isNamed(_ name: String) -> Bool {
        self.name.hasSameBytes(as: name)
    }

    /// The product as a screen is given it.
    public var value: Value {
        ["name": .string(name), "description": .string(description), "image": .string(image)]
    }
}
