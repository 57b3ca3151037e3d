import Accounts
import AccountsSQLite
import ArgumentParser
import BusinessLogic
import Glibc
import Understudy

/// `understudy backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("backup")

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
    static let configuration = CommandConfiguration("restore")

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        let settings = try storage.configuration.settings()
        let refusal = "'restore' replaces an SQLite file. Use pg_restore for a PostgreSQL database."
        let target = try storage.databaseFile(settings, refusal: refusal)
        let replaced: String?
        do {
            replaced = try SQLiteDatabase.restore(file, to: target.prepared(), at: SystemClock().now)
        } catch SQLiteDatabaseError.damaged {
            throw CommandError("The backup '\(file)' is damaged: restore another one. The database is as it was.")
        }
        Terminal.print("\(target.path): restored from \(file)")
        if let replaced { Terminal.print("the replaced database is \(replaced)") }
        try await storage.administration(settings, by: `operator`).record(.databaseRestored, reason: file)
    }
}
