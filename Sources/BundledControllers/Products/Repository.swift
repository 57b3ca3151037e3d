/// The source of products.
public protocol Repository: Sendable {
    /// Returns all products, in the order in which screens show them.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError`` if they cannot be fetched now. Any other error counts as a fault.
    func get() async throws -> [Product]
}

/// A fixed list of products.
public struct ProductsRepository: Repository {
    private let products: [Product]

    /// Creates a repository of those products.
    public init(_ products: [Product]) { self.products = products }

    public func get() -> [Product] { products }
}
