import Accounts
import ArgumentParser

/// `understudy account rename`.
struct AccountRenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give an account another name for logging in, and end its sessions.",
        discussion: "The email address stays. \(HelpText.exit)"
    )

    @OptionGroup var target: AccountArgument

    @Argument(help: "The new name for logging in.")
    var new: String

    func run() async throws {
        try AccountRules.check(email: nil, username: new)
        let (context, account) = try await target.find()
        let name = account.username.printable
        let isChanged = try await AccountRules.describingConflicts {
            try await context.change { try await $0.rename(account.id, to: new) }
        }
        Terminal.print(
            isChanged
                ? "Renamed the account '\(name)' to '\(new.printable)'."
                : "The account '\(name)' already has this name."
        )
    }
}

/// `understudy account set-email`.
struct AccountSetEmailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-email",
        abstract: "Give an account another email address, and end its sessions.",
        discussion: """
            The new address is not confirmed. A username that is the former address changes as well. Codes that were sent to the former address \
            no longer work. The command sends no mail: inform the owner. \(HelpText.exit)
            """
    )

    @OptionGroup var target: AccountArgument

    @Argument(help: "The new email address.")
    var address: String

    func run() async throws {
        try AccountRules.check(email: address)
        let (context, account) = try await target.find()
        let name = account.username.printable
        let isChanged = try await AccountRules.describingConflicts {
            try await context.change { try await $0.setEmail(address, of: account.id) }
        }
        Terminal.print(
            isChanged
                ? "Changed the email address of the account '\(name)' to '\(address.printable)'."
                : "The account '\(name)' already has this email address."
        )
    }
}
