internal import Accounts
internal import AccountsDatabase
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
        try await database.read(ProductTable.select(), of: .products) { try $0.map(ProductTable.product) }
    }
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
            _ = try await transaction.batch(products.map(ProductTable.upsert))
        }
    }
}
