import Accounts
import BundledControllers
import BusinessLogic
import Understudy

/// Imports products into a database.
struct ProductImportTarget: ImportTarget {
    let administration: Administration
    let limits: SessionLimits
    let members: [String]? = ["name", "description", "image"]

    func item(_ record: Record) throws(CommandError) -> Product {
        guard let name = record.values["name"] else { throw CommandError("the name is missing") }
        return Product(
            name: name,
            description: record.values["description"] ?? "",
            image: record.values["image"] ?? ""
        )
    }

    func conflicts(among items: [Numbered<Product>]) -> [RejectedLine] {
        []
    }

    func save(_ items: [Product]) async throws {
        let names = Set(items.map(\.name))
        let others = try await administration.database.products.get().filter { !names.contains($0.name) }
        guard limits.canShow((others + items).screenValue) else {
            throw CommandError(
                "with these, the list of \(others.count + items.count) products would not fit into a session, "
                    + "whose limit is \(limits.maximumSize) bytes; raise 'max-session-size' here and for 'serve'"
            )
        }
        try await administration.database.addProducts(items)
        await administration.record(.productsImported, reason: "\(items.count)")
    }
}
