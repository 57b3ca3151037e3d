import Accounts
import ArgumentParser

/// `understudy account delete`.
struct AccountDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "delete",
        "Delete an account permanently, and end its sessions.",
        HelpText.confirmation
    )

    @OptionGroup var target: AccountArgument

    @OptionGroup var confirmation: Confirmation

    func run() async throws {
        try confirmation.requireTerminal(to: "delete the account")
        let (administration, account) = try await target.find()
        let name = account.username.printable
        try confirmation.ask("Delete the account '\(name)' permanently?", refusal: "The account is not deleted.")
        let isDeleted = try await administration.change { try await $0.delete(account.id) }
        guard isDeleted else { throw CommandError.unknownAccount(target.username) }
        Terminal.print("Deleted the account '\(name)'.")
    }
}
