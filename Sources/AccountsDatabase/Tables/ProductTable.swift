internal import Accounts
internal import BundledControllers

/// The SQL of the table `product`.
enum ProductTable {
    /// Adds a product, or replaces the one with the same name.
    static func upsert(_ product: Product) -> SQLStep {
        // Two names have the same key if Swift considers them equal.
        upsertStatement(product.name.normalized, product.name, product.description, product.image)
    }

    static func product(_ row: SQLRow) throws -> Product {
        Product(name: try row.text(0), description: try row.text(1), image: try row.text(2))
    }

    /// All products, in the order of their addition.
    static let select = SQLStatement("products", "SELECT name, description, image FROM product ORDER BY position")

    private static let upsertStatement = SQLStatement(
        "add product",
        """
        INSERT INTO product (name_key, name, description, image) VALUES ($1, $2, $3, $4)
        ON CONFLICT (\(postgreSQL: "text_hash(name_key)", sqlite: "name_key")) DO UPDATE
        SET name = excluded.name, description = excluded.description, image = excluded.image
        """
    )
}
