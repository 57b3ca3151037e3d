internal import Accounts
public import BundledControllers
internal import BusinessLogic
internal import PostgreSQL

/// The products in a database.
struct PostgreSQLProducts: Repository {
    private let database: PostgreSQLDatabase

    init(_ database: PostgreSQLDatabase) {
        self.database = database
    }

    /// All products, in the order of their addition.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    func get() async throws -> [Product] {
        try await database.read(Self.select(), of: .products) { rows in
            try rows.map { row in
                Product(name: try row.utf8(0), description: try row.utf8(1), image: try row.utf8(2))
            }
        }
    }

    fileprivate static func insertion(of product: Product) -> PostgreSQLStep {
        // Two names have the same key if Swift considers them equal.
        upsert(
            .utf8(product.name.normalized),
            .utf8(product.name),
            .utf8(product.description),
            .utf8(product.image)
        )
    }

    private static let select = PostgreSQLStatement(
        name: "products",
        isReadOnly: true,
        sql: "SELECT name, description, image FROM product ORDER BY position"
    )

    private static let upsert = PostgreSQLStatement(
        name: "add product",
        sql: """
            INSERT INTO product (name_key, name, description, image) VALUES ($1, $2, $3, $4)
            ON CONFLICT (sha256(name_key)) DO UPDATE
            SET name = excluded.name, description = excluded.description, image = excluded.image
            """
    )
}

extension PostgreSQLDatabase {
    /// A repository of the products in the database, for the bundled pages.
    public var products: any Repository { PostgreSQLProducts(self) }

    /// Adds all of the products, or none. A product replaces an existing one with the same name.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError``.
    public func addProducts(_ products: [Product]) async throws {
        guard !products.isEmpty else { return }
        try await write(of: .products) { transaction in
            _ = try await transaction.batch(products.map(PostgreSQLProducts.insertion))
        }
    }
}
