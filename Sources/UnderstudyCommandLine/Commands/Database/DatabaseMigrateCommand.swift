import Accounts
import ArgumentParser

/// `understudy database migrate`.
struct DatabaseMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "migrate",
        "Create the tables, or change them to this version.",
        """
        'serve' does the same when it starts. Any number of servers may start at the same time: one changes the tables, and the \
        others wait.
        """
    )

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        let settings = try storage.configuration.settings()
        let location = try storage.databaseLocation(settings)
        let before = try await location.version() ?? 0
        let latest = location.latestVersion
        if before == 0 || before == latest {
            // Without a record, so that the tables of a new database stay empty for 'database copy'.
            _ = try await storage.open(settings, creating: true)
        } else {
            try await storage.administration(settings, by: `operator`).record(.databaseMigrated, reason: "\(latest)")
        }
        Terminal.print(
            before == latest
                ? "\(location.name): the tables have version \(latest) already"
                : "\(location.name): the tables now have version \(latest)"
        )
    }
}
