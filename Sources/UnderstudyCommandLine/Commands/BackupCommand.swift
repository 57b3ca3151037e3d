import Accounts
import AccountsSQLite
import ArgumentParser
import BusinessLogic
import Glibc
import Understudy

/// `understudy backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "backup",
        "Copy the database to a new file, even while a server runs.",
        """
        The copy is the database at one moment; the file appears when it is complete and checked. If the database is damaged, the \
        command fails, and writes no file. 'restore' restores the copy.
        """
    )

    @Argument(help: "The new file.")
    var file: String

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        let settings = try storage.configuration.settings()
        let refusal = "'backup' copies an SQLite file. Use pg_dump for a PostgreSQL database."
        _ = try storage.databaseFile(settings, refusal: refusal)
        let administration = try await storage.administration(settings, by: `operator`)
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

/// `understudy restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "restore",
        "Replace an SQLite file by a backup, while no server runs.",
        """
        Checks the backup first, and changes nothing if it is damaged, or if another process of this machine uses the database. The replaced \
        database stays in the same folder, under the name that the command prints: restore it to go back. The backup stays as \
        well. All users are logged out.
        """
    )

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        let settings = try storage.configuration.settings()
        let refusal = "'restore' replaces an SQLite file. Use pg_restore for a PostgreSQL database."
        let target = try storage.databaseFile(settings, refusal: refusal)
        let replaced = try SQLiteDatabase.restore(file, to: target.prepared(), at: SystemClock().now)
        Terminal.print("\(target.path): restored from \(file)")
        if let replaced { Terminal.print("the replaced database is \(replaced)") }
        try await storage.administration(settings, by: `operator`).record(.databaseRestored, reason: file)
    }
}
