/// Where products come from. It may take its time.
public protocol Repository: Sendable {
    /// All products, in the order in which they are to be shown.
    ///
    /// - Throws: where they cannot be had now.
    func get() async throws -> [Product]
}

/// A fixed list of products.
public struct ProductsRepository: Repository {
    private let products: [Product]

    /// A repository of those products.
    public init(_ products: [Product]) {
        self.products = products
    }

    public func get() -> [Product] { products }
}
