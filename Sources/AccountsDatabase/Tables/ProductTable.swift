internal import Accounts
package import BundledControllers

/// The SQL of the table `product`.
package enum ProductTable {
    /// All products, in the order of their addition.
    package static func select() -> SQLStep { selectStatement() }

    /// Adds a product, or replaces the one with the same name.
    package static func upsert(_ product: Product) -> SQLStep {
        // Two names have the same key if Swift considers them equal.
        upsertStatement(
            .text(product.name.normalized),
            .text(product.name),
            .text(product.description),
            .text(product.image)
        )
    }

    package static func product(_ row: SQLRow) throws -> Product {
        Product(name: try row.text(0), description: try row.text(1), image: try row.text(2))
    }

    private static let selectStatement = SQLStatement(
        "products",
        isReadOnly: true,
        "SELECT name, description, image FROM product ORDER BY position"
    )

    private static let upsertStatement = SQLStatement(
        "add product",
        """
        INSERT INTO product (name_key, name, description, image) VALUES ($1, $2, $3, $4)
        ON CONFLICT (\(postgreSQL: "text_hash(name_key)", sqlite: "name_key")) DO UPDATE
        SET name = excluded.name, description = excluded.description, image = excluded.image
        """
    )
}
