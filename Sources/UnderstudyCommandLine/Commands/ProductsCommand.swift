import ArgumentParser

/// `understudy products`.
struct ProductsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "Import the products that the pages show.",
        subcommands: [ProductsImportCommand.self]
    )
}
