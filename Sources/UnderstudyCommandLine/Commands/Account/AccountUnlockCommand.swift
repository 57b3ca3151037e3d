import Accounts
import ArgumentParser

/// `understudy account unlock`.
struct AccountUnlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Reset an account's failed logins, so that its owner can log in at once.",
        discussion: HelpText.exit
    )

    @OptionGroup var target: AccountArgument

    func run() async throws {
        try await target.change {
            try await $0.unlock($1)
        } _: {
            "Unlocked the account \($0)."
        } otherwise: {
            "The account \($0) has no failed logins."
        }
    }
}
