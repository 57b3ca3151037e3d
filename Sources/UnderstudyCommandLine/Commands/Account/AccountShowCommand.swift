import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy account show`.
struct AccountShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account.",
        discussion: """
            Prints the time of the last failed login; with an audit log in the database, also the address of the client and the reason. \
            \(HelpText.exit)
            """
    )

    @Argument(help: AccountArgument.help)
    var username: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions

    func run() async throws {
        let settings = try await storage.configuration.settings()
        let isAudited = try audit.placeIfSet(settings)?.isDatabase ?? false
        let database = try await AdminContext.open(storage, settings, creating: false).database
        let account = try await database.knownAccount(username)
        let failure = try await LastFailure.find(account.id, in: database, isAudited: isAudited)
        for entry in try await AccountEntry.entries([account], in: database) {
            if json {
                var members = entry.members
                members["lastFailure"] = failure?.value
                Terminal.print(members.description.escaped)
            } else {
                for line in entry.lines { Terminal.print(line) }
                if let failure { Terminal.print("last failure:  \(failure.text.printable)") }
            }
        }
    }
}
