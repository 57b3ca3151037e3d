import ArgumentParser

/// `understudy database`.
struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Create the tables of a database, show their version, or copy SQLite to PostgreSQL.",
        subcommands: [DatabaseMigrateCommand.self, DatabaseStatusCommand.self, DatabaseCopyCommand.self]
    )
}
