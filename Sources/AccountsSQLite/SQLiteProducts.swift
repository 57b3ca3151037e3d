internal import Accounts
internal import AccountsDatabase
public import BundledControllers
import BusinessLogic
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
        try await database.read(of: .products) { try $0.run(ProductTable.select()).map(ProductTable.product) }
    }
}

extension SQLiteDatabase {
    /// A repository of the products in the database, for the bundled pages.
    public var products: any Repository { SQLiteProducts(self) }

    /// Adds all of the products, or none. A product replaces an existing one with the same name.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    public func addProducts(_ products: [Product]) async throws {
        try await write(of: .products) { try $0.run(products.map(ProductTable.upsert)) }
    }
}
