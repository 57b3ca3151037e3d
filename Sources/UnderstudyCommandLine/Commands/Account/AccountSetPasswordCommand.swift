import Accounts
import ArgumentParser

/// `understudy account set-password`.
struct AccountSetPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "set-password",
        "Give an account another password, and end its sessions.",
        HelpText.password
    )

    @OptionGroup var target: AccountArgument
    @OptionGroup(title: "Passwords") var passwords: PasswordOptions

    func run() async throws {
        let policy = try passwords.policy(target.storage.configuration.settings())
        let (administration, account) = try await target.find(passwords)
        let password = try PasswordPrompt.read()
        try AccountRules.check(password, for: account, policy)
        let isChanged = try await administration.change { try await $0.setPassword(password, of: account.id) }
        guard isChanged else { throw CommandError.unknownAccount(target.username) }
        Terminal.print("Changed the password of the account '\(account.username.printable)'.")
    }
}
