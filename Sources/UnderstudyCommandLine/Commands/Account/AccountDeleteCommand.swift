import Accounts
import ArgumentParser

/// `understudy account delete`.
struct AccountDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an account permanently, and end its sessions.",
        discussion:
            "The command asks for confirmation on the terminal; without a terminal, it requires '--yes'. \(HelpText.exit)"
    )

    @OptionGroup var target: AccountArgument

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        guard yes || Terminal.canAsk else {
            throw ValidationError(
                "Standard input is not a terminal, so that the command cannot ask: add '--yes' to delete the account."
            )
        }
        let (context, account) = try await target.find()
        let name = account.username.printable
        guard yes || Terminal.ask("Delete the account '\(name)' permanently?") else {
            throw CommandError("The account is not deleted.")
        }
        let isDeleted = try await context.change { try await $0.delete(account.id) }
        guard isDeleted else { throw CommandError.unknownAccount(target.username) }
        Terminal.print("Deleted the account '\(name)'.")
    }
}
