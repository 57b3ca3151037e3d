import Accounts
import ArgumentParser

/// `understudy account delete`.
struct AccountDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an account for good, and end its sessions.",
        discussion: "It asks on the terminal whether that is meant; elsewhere it needs '--yes'. \(Help.exit)"
    )

    @OptionGroup var argument: AccountArgument

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions

    func run() async throws {
        guard yes || Terminal.canAsk else {
            throw ValidationError("There is no terminal to ask on: say '--yes' to delete the account.")
        }
        let office = try Office(storage, audit)
        let account = try await office.account(argument.username)
        let name = account.username.printable
        guard yes || Terminal.ask("Delete the account '\(name)' for good?") else {
            throw Refusal("Nothing is deleted.")
        }
        guard try await office.service.delete(account.id) else { throw Refusal.unknownAccount(argument.username) }
        Terminal.print("Deleted the account '\(name)'.")
    }
}
