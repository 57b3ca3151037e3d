import ArgumentParser
import Understudy

/// `understudy products import`.
struct ProductsImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the products of a JSON Lines file.",
        discussion: """
            Members: name is required; description and image are optional. A product replaces the one with the same name. \
            A list of products that would not fit into a session is rejected. \(ImportOptions.help)
            """
    )

    @OptionGroup var options: ImportOptions
    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    @Option(Settings.maxSessionSize) var maxSessionSize: String?

    func run() async throws {
        var limits = SessionLimits()
        let settings = try storage.configuration.settings()
        limits.maximumSize = try settings.value(Settings.maxSessionSize, option: maxSessionSize)
        let administration = try await storage.administration(settings, by: `operator`, creating: true)
        try await options.run(ProductImportTarget(administration: administration, limits: limits))
    }
}
