import Accounts
import ArgumentParser

/// `understudy account export`.
struct AccountExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "export",
        "Print all data about the user of an account as a JSON object.",
        """
        The object contains the account without its password, its devices, its saved sessions, and its records in the audit \
        log. A running server's sessions are only in its memory: to export them, stop it first.
        """
    )

    @OptionGroup var target: ShownAccountArgument

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let (administration, account) = try await target.find(storage)
        Terminal.print(try await administration.export(account).json)
    }
}
