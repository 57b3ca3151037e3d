import AccountsSQLite
import ArgumentParser
import BusinessLogic

/// `understudy products`.
struct ProductsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "Import the products that are shown.",
        subcommands: [ProductsImport.self]
    )
}

/// `understudy products import`.
struct ProductsImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the products of a CSV or JSON Lines file.",
        discussion: """
            Of each product the file has: name; and if it likes description and image. A product whose name there is already \
            takes the other's place. \(ImportOptions.help)
            """
    )

    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        _ = try options.recordFormat()
        try await options.run(ProductImportTarget(database: try await Office.database(storage, creating: true)))
    }
}

/// The products of a database.
struct ProductImportTarget: ImportTarget {
    let database: SQLiteDatabase
    let columns = ["name", "description", "image"]

    func item(_ record: Record) throws(Refusal) -> Product {
        guard let name = record.values["name"] else { throw Refusal("there is no name") }
        return Product(
            name: name,
            description: record.values["description"] ?? "",
            image: record.values["image"] ?? ""
        )
    }

    func conflicts(among items: [Numbered<Product>]) -> [RefusedLine] {
        []
    }

    func save(_ items: [Product]) async throws {
        try await database.addProducts(items)
    }
}
