import Accounts
import ArgumentParser

/// `understudy account export`.
struct AccountExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print all data about the user of an account as a JSON object.",
        discussion: """
            The object contains the account without its password, its devices, its saved sessions, and its records in the audit \
            log. A running server's sessions are only in its memory: to export them, stop it first. \(HelpText.exit)
            """
    )

    @Argument(help: AccountArgument.help)
    var username: String

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let database = try await AdminContext.database(storage)
        let account = try await database.knownAccount(username)
        Terminal.print(try await AccountExport.collect(of: account, in: database).json)
    }
}
