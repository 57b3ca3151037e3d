import ArgumentParser

/// `understudy products`.
struct ProductsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "Import the products of the pages.",
        subcommands: [ProductsImportCommand.self]
    )
}
