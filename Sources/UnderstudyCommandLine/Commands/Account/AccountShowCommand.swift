import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy account show`.
struct AccountShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account.",
        discussion: """
            Prints the time of the last failed login; if the audit log contains it, also the address of the client and the reason. \
            \(HelpText.exit)
            """
    )

    @Argument(help: AccountArgument.help)
    var username: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let database = try await AdminContext.database(storage)
        let account = try await database.knownAccount(username)
        let failure = try await LastFailure.find(account.id, in: database)
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
