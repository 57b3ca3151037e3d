import AccountsSQLite
import ArgumentParser
import BundledControllers
import BusinessLogic
import Understudy

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
            takes the other's place. A catalogue that would not fit into a session is rejected. \(ImportOptions.help)
            """
    )

    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Storage") var storage: StorageOptions

    @Option(Settings.maxSessionSize) var maxSessionSize: ByteCount?

    func run() async throws {
        _ = try options.recordFormat()
        var limits = SessionLimits()
        limits.maximumSize =
            try await storage.configuration.settings().value(maxSessionSize, Settings.maxSessionSize).bytes
        let database = try await AdminContext.database(storage, creating: true)
        try await options.run(ProductImportTarget(database: database, limits: limits))
    }
}

/// The products of a database.
struct ProductImportTarget: ImportTarget {
    let database: SQLiteDatabase
    let limits: SessionLimits
    let columns = ["name", "description", "image"]

    func item(_ record: Record) throws(CommandError) -> Product {
        guard let name = record.values["name"] else { throw CommandError("there is no name") }
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
        let names = Set(items.map(\.name))
        let others = try await database.products.get().filter { !names.contains($0.name) }
        guard limits.canShow(.array((others + items).map(\.value))) else {
            throw CommandError(
                "with these, the list of \(others.count + items.count) products would not fit into a session, "
                    + "which holds \(limits.maximumSize) bytes; raise 'max-session-size' here and for 'understudy serve'"
            )
        }
        try await database.addProducts(items)
    }
}
