import Accounts
import AccountsSQLite
import ArgumentParser
import Glibc

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
        let administration = try await storage.administration(by: `operator`)
        guard let database = try administration.database as? SQLiteDatabase else {
            throw ValidationError("'backup' copies an SQLite file. Use pg_dump for a PostgreSQL database.")
        }
        do { try await database.backup(to: file) } catch let error as SQLiteDatabaseError {
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
