import ArgumentParser
import Understudy

/// `understudy products import`.
struct ProductsImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the products of a CSV or JSON Lines file.",
        discussion: """
            Columns: name is required; description and image are optional. A product replaces the one with the same name. \
            A list of products that would not fit into a session is rejected. \(ImportOptions.help)
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
