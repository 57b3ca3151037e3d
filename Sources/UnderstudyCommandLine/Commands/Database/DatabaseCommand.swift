import ArgumentParser

/// `understudy database`.
struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Create the tables of a database, or show their version.",
        subcommands: [DatabaseMigrateCommand.self, DatabaseStatusCommand.self]
    )
}
