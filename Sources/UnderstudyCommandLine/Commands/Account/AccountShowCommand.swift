import ArgumentParser

/// `understudy account show`.
struct AccountShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account.",
        discussion: HelpText.exit
    )

    @Argument(help: AccountArgument.help)
    var username: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let database = try await AdminContext.database(storage)
        let account = try await database.knownAccount(username)
        for entry in try await AccountEntry.entries([account], in: database) {
            Terminal.print(json ? entry.json : entry.lines.joined(separator: "\n"))
        }
    }
}
