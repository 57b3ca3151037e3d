import Accounts
import ArgumentParser

/// `understudy account enable`.
struct AccountEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Enable a disabled account, so that its owner can log in again.",
        discussion: HelpText.exit
    )

    @OptionGroup var target: AccountArgument

    func run() async throws {
        try await target.change {
            try await $0.setDisabled(false, $1)
        } _: {
            "Enabled the account \($0)."
        } otherwise: {
            "The account \($0) is already enabled."
        }
    }
}
