import ArgumentParser

/// `understudy database`.
struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Create or repair a database, show its version, or copy SQLite to PostgreSQL.",
        subcommands: [
            DatabaseMigrateCommand.self, DatabaseStatusCommand.self, DatabaseCopyCommand.self,
            DatabaseAcceptLossCommand.self,
        ]
    )
}
