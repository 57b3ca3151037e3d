import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import ArgumentParser
import Glibc
import Understudy

struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "database",
        subcommands: [
            DatabaseMigrateCommand.self, DatabaseStatusCommand.self, DatabaseCopyCommand.self,
            DatabaseAcceptLossCommand.self,
        ]
    )
}

struct DatabaseMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("database migrate")

    @OptionGroup var change: OperatorOptions

    func run() async throws {
        let settings = try change.storage.settings()
        let location = try settings.databaseLocation()
        let before = try await location.version() ?? 0
        let latest = location.latestVersion
        if before == 0 || before == latest {
            // Without a record, so that the tables of a new database stay empty for 'database copy'.
            _ = try await change.storage.open(settings, creating: true)
        } else {
            try await change.administration(settings).record(.databaseMigrated, reason: "\(latest)")
        }
        Terminal.print(
            before == latest
                ? "\(location.name): the tables have version \(latest) already"
                : "\(location.name): the tables now have version \(latest)"
        )
    }
}

struct DatabaseStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("database status")

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let location = try storage.settings().databaseLocation()
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

struct DatabaseAcceptLossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("database accept-loss")

    @OptionGroup var confirmation: Confirmation

    @OptionGroup var change: OperatorOptions

    func run() async throws {
        let settings = try change.storage.settings()
        let path = try settings.databaseFile(refusal: "'database accept-loss' is for an SQLite file.").name
        try confirmation.ask(
            "Continue without the last changes, if they are lost?",
            refusal: "The database is as it was."
        )
        guard try SQLiteDatabase.acceptLoss(path: path) else { return Terminal.print("\(path): no changes are lost") }
        Terminal.print("\(path): the changes in \(path)-wal are lost, and the database can be used")
        try await change.administration(settings).record(.databaseLossAccepted, reason: path)
    }
}

struct DatabaseCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("database copy")

    @Option(name: .customLong("from"), help: ArgumentHelp("The SQLite file.", valueName: "file"))
    var file: String

    @OptionGroup var change: OperatorOptions

    func run() async throws {
        let settings = try change.storage.settings()
        let location = try settings.databaseLocation()
        guard case .server(let configuration) = location else {
            throw ValidationError("'copy' copies to PostgreSQL: name a database with '--database postgresql://…'.")
        }
        let source = try await openSource()
        defer { source.close() }
        do {
            let target = try await PostgreSQLDatabase.open(configuration, logger: .silent)
            try await copy(source, to: target, location.name)
            Terminal.print("\(location.name): the copy of '\(file)' is complete and verified")
        } catch let error as CopyError {
            throw CommandError("Nothing was copied to '\(location.name)': \(error).")
        } catch {
            throw location.explained(error)
        }
    }

    /// Copies the database, records this, prints the number of rows of each table, and closes the target.
    private func copy(_ source: SQLiteCopySource, to target: PostgreSQLDatabase, _ name: String) async throws {
        do {
            if let server = try await target.servers().first {
                throw CommandError(
                    "Nothing was copied to '\(name)': the server '\(server.name)' uses it. Stop it first."
                )
            }
            let log = change.log(in: target)
            let tables = try await target.copy(rows: source.rows)
            await log.record(AuditEvent(.databaseCopied, at: try await target.time, reason: file))
            for (table, count) in tables { Terminal.print("\(table.name): \(count)") }
            await target.close(deadline: .now)
        } catch {
            await target.close(deadline: .now)
            throw error
        }
    }

    /// Opens the file, which must have the tables of this version.
    private func openSource() async throws -> SQLiteCopySource {
        if let process = SQLiteDatabase.otherProcess(using: file) {
            throw CommandError(
                "Another process (\(process)) has '\(file)' open, and the copy would lack what it writes later: stop it, or copy a backup."
            )
        }
        let location = DatabaseLocation.file(file)
        guard let version = try await location.version() else { throw CommandError("There is no file '\(file)'.") }
        guard version > 0 else { throw CommandError("The file '\(file)' has no tables: there is nothing to copy.") }
        guard version == location.latestVersion else {
            throw CommandError(
                "The tables of '\(file)' have version \(version): run 'database migrate --database \(file)' first."
            )
        }
        return try SQLiteCopySource(path: file)
    }
}

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("backup")

    @Argument(help: "The new file.", completion: .file())
    var file: String

    @OptionGroup var change: OperatorOptions

    func run() async throws {
        let settings = try change.storage.settings()
        let refusal = "'backup' copies an SQLite file. Use pg_dump for a PostgreSQL database."
        _ = try settings.databaseFile(refusal: refusal)
        let administration = try await change.administration(settings)
        do { try await (administration.database as? SQLiteDatabase)?.backup(to: file) } catch let error
            as SQLiteDatabaseError
        {
            guard case .damaged = error else { throw error }
            throw CommandError("No backup was made, so keep the last one: \(error).")
        }
        var status = stat()
        let path = realpath(file, nil)
        defer { free(path) }
        guard let path, stat(path, &status) == 0 else {
            throw CommandError("The backup '\(file)' has been moved or deleted.")
        }
        await administration.record(.backupCreated, reason: String(cString: path))
        Terminal.print("\(String(cString: path)) (\(status.st_size) bytes)")
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("restore")

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @OptionGroup var change: OperatorOptions

    func run() async throws {
        let settings = try change.storage.settings()
        let refusal = "'restore' replaces an SQLite file. Use pg_restore for a PostgreSQL database."
        let target = try settings.databaseFile(refusal: refusal)
        let replaced: String?
        do {
            try target.prepare()
            replaced = try SQLiteDatabase.restore(file, to: target.name, at: SystemClock().now)
        } catch SQLiteDatabaseError.damaged {
            throw CommandError("The backup '\(file)' is damaged: restore another one. The database is as it was.")
        }
        Terminal.print("\(target.name): restored from \(file)")
        if let replaced { Terminal.print("the replaced database is \(replaced)") }
        try await change.administration(settings).record(.databaseRestored, reason: file)
    }
}
