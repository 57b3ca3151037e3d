internal import Accounts
public import BundledControllers
import BusinessLogic
internal import Foundation
internal import GRDB

/// The products of a database.
public struct SQLiteProducts: Repository {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) {
        self.database = database
    }

    /// All products, in the order in which they were added.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
    public func get() async throws -> [Product] {
        try await database.read { db in
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
    /// The products, for the pages that show them.
    public var products: SQLiteProducts { SQLiteProducts(self) }

    /// Adds products behind those that there are, all or none. One whose name there is already takes the other's place.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)``.
    public func addProducts(_ products: [Product]) async throws {
        try await write { db in
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
                    // Two names that Swift takes for equal are one name.
                    product.name.normalized.bound,
                    product.name.bound, product.description.bound, product.image.bound,
                ])
            }
        }
    }
}
