import Accounts
import ArgumentParser
import BundledControllers
import BusinessLogic
import Understudy

struct ProductsCommand: ParsableCommand {
    static let configuration = CommandConfiguration("products", subcommands: [ProductsImportCommand.self])
}

struct ProductsImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("products import")

    @OptionGroup var options: ImportOptions
    @OptionGroup var change: OperatorOptions

    @Option(Settings.maxSessionSize) var maxSessionSize: String?

    func run() async throws {
        var limits = SessionLimits()
        let settings = try change.storage.settings()
        limits.maximumSize = try settings.value(Settings.maxSessionSize, option: maxSessionSize)
        let administration = try await change.administration(settings, creating: true)
        try await options.run(members: ["name", "description", "image"]) { values in
            guard let name = values["name"] else { throw CommandError("the name is missing") }
            return Product(name: name, description: values["description"] ?? "", image: values["image"] ?? "")
        } save: { items in
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
}
