import ArgumentParser

/// `understudy account show`.
struct AccountShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account.",
        discussion: Help.exit
    )

    @OptionGroup var argument: AccountArgument

    @Flag(help: "As a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions

    func run() async throws {
        let office = try Office(storage, audit)
        let account = try await office.account(argument.username)
        for entry in try await AccountEntry.entries([account], in: office.database) {
            Terminal.print(json ? try entry.json() : entry.lines.joined(separator: "\n"))
        }
    }
}
