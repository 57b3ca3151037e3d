import Accounts
import ArgumentParser

/// `understudy account disable`.
struct AccountDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable an account, so that its owner cannot log in, and end its sessions.",
        discussion: HelpText.exit
    )

    @OptionGroup var target: AccountArgument

    func run() async throws {
        try await target.change {
            try await $0.setDisabled(true, $1)
        } _: {
            "Disabled the account \($0)."
        } otherwise: {
            "The account \($0) is already disabled."
        }
    }
}
