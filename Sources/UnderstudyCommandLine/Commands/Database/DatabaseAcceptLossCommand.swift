import Accounts
import AccountsSQLite
import ArgumentParser

/// `understudy database accept-loss`.
struct DatabaseAcceptLossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "accept-loss",
        "Continue with an SQLite file whose last changes are lost.",
        """
        While a server runs, and after it was killed, the last changes are only in the file with the database's name and the ending \
        -wal. If that file is missing or damaged, the server does not start. First look for the file, or for a newer backup.
        """
    )

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        let settings = try storage.configuration.settings()
        guard case .file(let file) = try storage.databaseLocation(settings) else {
            throw ValidationError("'database accept-loss' is for an SQLite file.")
        }
        guard try SQLiteDatabase.acceptLoss(path: file.path) else {
            return Terminal.print("\(file.path): no changes are lost")
        }
        Terminal.print("\(file.path): the changes in \(file.path)-wal are lost, and the database can be used")
        try await storage.administration(settings, by: `operator`).record(.databaseLossAccepted, reason: file.path)
    }
}
