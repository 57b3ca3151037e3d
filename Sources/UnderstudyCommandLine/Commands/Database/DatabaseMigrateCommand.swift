import ArgumentParser

/// `understudy database migrate`.
struct DatabaseMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Create the tables, or change them to this version.",
        discussion: """
            'serve' does the same when it starts. Any number of servers may start at the same time: one changes the tables, and the \
            others wait. \(HelpText.exit)
            """
    )

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let location = try storage.databaseLocation(await storage.configuration.settings())
        let before = try await location.version() ?? 0
        _ = try await location.open { Terminal.printError("The database is not available: \($0)") }
        let latest = location.latestVersion
        Terminal.print(
            before == latest
                ? "\(location.name): the tables have version \(latest) already"
                : "\(location.name): the tables now have version \(latest)"
        )
    }
}
