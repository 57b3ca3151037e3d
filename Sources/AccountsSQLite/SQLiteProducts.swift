internal import Accounts
public import BundledControllers
import BusinessLogic
internal import Foundation
internal import GRDB

/// The products in a database.
struct SQLiteProducts: Repository {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) {
        self.database = database
    }

    /// All products, in the order of their addition.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    func get() async throws -> [Product] {
        try await database.read(of: .products) { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT CAST(name AS BLOB), CAST(description AS BLOB), CAST(image AS BLOB)
                    FROM product ORDER BY position
                    """
            )
            return try Row.fetchAll(statement).map { row in
                Product(name: try row.text(0), description: try row.text(1), image: try row.text(2))
            }
        }
    }
}

extension SQLiteDatabase {
    /// A repository of the products in the database, for the bundled pages.
    public var products: any Repository { SQLiteProducts(self) }

    /// Adds all of the products, or none. A product replaces an existing one with the same name.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    public func addProducts(_ products: [Product]) async throws {
        try await write(of: .products) { db in
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO product (name_key, name, description, image)
                    VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))
                    ON CONFLICT (name_key) DO UPDATE
                    SET name = excluded.name, description = excluded.description, image = excluded.image
                    """
            )
            for product in products {
                try statement.execute(arguments: [
                    // Two names have the same key if Swift considers them equal.
                    product.name.normalized.bound,
                    product.name.bound, product.description.bound, product.image.bound,
                ])
            }
        }
    }
}
