import BundledControllers

enum ProductTable {
    static let description = TableDescription(
        name: "product",
        columns: ["position", "name_key", "name", "description", "image"],
        isNumbered: true
    )

    static func product(_ row: SQLRow) throws -> Product {
        Product(name: try row.text(0), description: try row.text(1), image: try row.text(2))
    }

    static let select = SQLStatement("products", "SELECT name, description, image FROM product ORDER BY position")

    /// Adds a product, or replaces the one with the same key. Two names have the same one if Swift considers them equal.
    static let upsert = SQLStatement(
        "add product",
        """
        INSERT INTO product (name_key, name, description, image) VALUES ($1, $2, $3, $4)
        ON CONFLICT (\(postgreSQL: "text_hash(name_key)", sqlite: "name_key")) DO UPDATE
        SET name = excluded.name, description = excluded.description, image = excluded.image
        """
    )
}
