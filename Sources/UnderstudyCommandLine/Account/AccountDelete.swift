import Accounts
import ArgumentParser

/// `understudy account delete`.
struct AccountDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an account for good, and end its sessions.",
        discussion: "It asks on the terminal whether that is meant; elsewhere it needs '--yes'. \(Help.exit)"
    )

    @OptionGroup var target: AccountTarget

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        guard yes || Terminal.canAsk else {
            throw ValidationError("There is no terminal to ask on: say '--yes' to delete the account.")
        }
        let (office, account) = try await target.find()
        let name = account.username.printable
        guard yes || Terminal.ask("Delete the account '\(name)' for good?") else {
            throw CommandError("Nothing is deleted.")
        }
        guard try await office.service.delete(account.id) else { throw CommandError.unknownAccount(target.username) }
        Terminal.print("Deleted the account '\(name)'.")
    }
}
