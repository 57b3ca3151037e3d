import Accounts
import AccountsSQLite
import ArgumentParser

/// `understudy database`.
struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "database",
        subcommands: [
            DatabaseMigrateCommand.self, DatabaseStatusCommand.self, DatabaseCopyCommand.self,
            DatabaseAcceptLossCommand.self,
        ]
    )
}

/// `understudy database migrate`.
struct DatabaseMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("database migrate")

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

/// `understudy database status`.
struct DatabaseStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("database status")

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let location = try storage.databaseLocation(storage.configuration.settings())
        let latest = location.latestVersion
        guard let version = try await location.version() else {
            throw CommandError("There is no database '\(location.name)': 'database migrate' creates it.")
        }
        let damage = try await location.damage()
        guard damage.isEmpty else {
            for line in damage { Terminal.print(line.printable) }
            throw CommandError("The database '\(location.name)' is damaged: restore a backup.")
        }
        switch version {
        case latest:
            Terminal.print("\(location.name): the tables have version \(latest), which is current")
            guard location.isServer else { return }
            let opened = try await location.open { Terminal.printError("\($0)") }
            let servers = try await opened.database.servers()
            await opened.close()
            for server in servers {
                let since = server.since.map { " since \($0.brief)" } ?? ""
                Terminal.print("server \(server.name.printable): version \(server.version.printable)\(since)")
            }
        case 0: throw CommandError("\(location.name): there are no tables yet: 'database migrate' creates them.")
        default:
            throw CommandError(
                "\(location.name): the tables have version \(version): 'database migrate' changes them to \(latest)."
            )
        }
    }
}

/// `understudy database accept-loss`.
struct DatabaseAcceptLossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("database accept-loss")

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        let settings = try storage.configuration.settings()
        let file = try storage.databaseFile(settings, refusal: "'database accept-loss' is for an SQLite file.")
        guard try SQLiteDatabase.acceptLoss(path: file.path) else {
            return Terminal.print("\(file.path): no changes are lost")
        }
        Terminal.print("\(file.path): the changes in \(file.path)-wal are lost, and the database can be used")
        try await storage.administration(settings, by: `operator`).record(.databaseLossAccepted, reason: file.path)
    }
}
