import Accounts
import ArgumentParser

/// `understudy account export`.
struct AccountExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print all data about the user of an account as a JSON object.",
        discussion: """
            The object contains the account without its password, its devices, its saved sessions, and its records in the audit \
            log. A running server's sessions are only in its memory: to export them, stop it first. Of an audit log in a file, the command \
            searches only the current file of this machine: it names rotated files on standard error, and reports whether \
            other servers can have written records. \(HelpText.exit)
            """
    )

    @Argument(help: AccountArgument.help)
    var username: String

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions

    func run() async throws {
        let database = try await AdminContext.database(storage)
        let account = try await database.knownAccount(username)
        let settings = try await storage.configuration.settings()
        let place = try audit.place(in: storage, settings)
        Terminal.print(try await AccountExport.collect(of: account, in: database, audit: place).json)
        let search = AuditSearch(place: place, isShared: try storage.databaseLocation(settings).isServer)
        for gap in try search.gaps(for: account.id) { Terminal.printNote(gap) }
    }
}
