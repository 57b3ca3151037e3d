import Accounts
package import BundledControllers

package struct DatabaseProducts: Repository {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) {
        self.database = database
    }

    /// All products, in the order of their addition.
    package func get() async throws -> [Product] {
        try await database.read(ProductTable.select(), of: .products) { try $0.map(ProductTable.product) }
    }
}

extension SQLDatabase {
    /// Adds all of the products, or none, and publishes the topic `products` for other processes. A product replaces an existing one with
    /// the same name.
    package func insert(_ products: [Product]) async throws {
        guard !products.isEmpty else { return }
        let publication = PublicationTable.insert(Publication(.products))
        let additions = products.map { ProductTable.upsert($0.name.normalized, $0.name, $0.description, $0.image) }
        try await write(of: .products, additions + [publication])
    }
}
