import Accounts
import AccountsSQLite
import ArgumentParser
import BusinessLogic
import Understudy

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
        guard case .file(let target) = try storage.databaseLocation(settings) else {
            throw ValidationError("'restore' replaces an SQLite file. Use pg_restore for a PostgreSQL database.")
        }
        let replaced = try SQLiteDatabase.restore(file, to: target.prepared(), at: SystemClock().now)
        Terminal.print("\(target.path): restored from \(file)")
        if let replaced { Terminal.print("the replaced database is \(replaced)") }
        try await storage.administration(settings, by: `operator`).record(.databaseRestored, reason: file)
    }
}
