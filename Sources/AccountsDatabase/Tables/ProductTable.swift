internal import Accounts
package import BundledControllers
package import SQLStatements

/// The SQL of the table `product`.
package enum ProductTable {
    /// All products, in the order of their addition.
    package static func select() -> SQLStep { selectStatement() }

    /// Adds a product, or replaces the one with the same name.
    package static func upsert(_ product: Product) -> SQLStep {
        // Two names have the same key if Swift considers them equal.
        upsertStatement(
            .utf8(product.name.normalized),
            .utf8(product.name),
            .utf8(product.description),
            .utf8(product.image)
        )
    }

    package static func product(_ row: some SQLRow) throws -> Product {
        Product(name: try row.utf8(0), description: try row.utf8(1), image: try row.utf8(2))
    }

    private static let selectStatement = SQLStatement(
        "products",
        isReadOnly: true,
        "SELECT \(text: "name", "description", "image") FROM product ORDER BY position"
    )

    private static let upsertStatement = SQLStatement(
        "add product",
        """
        INSERT INTO product (name_key, name, description, image) VALUES (\(text: 1, 2, 3, 4))
        ON CONFLICT (\(postgreSQL: "sha256(name_key)", sqlite: "name_key")) DO UPDATE
        SET name = excluded.name, description = excluded.description, image = excluded.image
        """
    )
}
