import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy account add`.
struct AccountAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account add")

    @Option(help: "The email address.")
    var email: String

    @Option(help: "The owner's name.")
    var name: String

    @Option(help: "The name for logging in. (default: the email address)")
    var username: String?

    @Option(help: "The user ID: twelve digits.")
    var userID: String?

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup(title: "Passwords") var passwords: PasswordOptions

    func run() async throws {
        try AccountRules.check(email: email, name: name, username: username, userID: userID)
        let settings = try storage.configuration.settings()
        let policy = try passwords.policy(settings)
        let password = try PasswordPrompt.read()
        let administration = try await storage.administration(settings, by: `operator`, passwords, creating: true)
        let values = ["email": email, "name": name, "username": username, "userID": userID, "password": password]
        let account = try await NewAccounts(administration: administration, policy: policy)
            .account(values.compactMapValues(\.self))
        try await administration.change { try await $0.add([account]) }
        Terminal.print("Added the account '\(account.username.printable)'.")
    }
}

/// `understudy account set-password`.
struct AccountSetPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account set-password")

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

/// `understudy account delete`.
struct AccountDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account delete")

    @OptionGroup var target: AccountArgument

    @OptionGroup var confirmation: Confirmation

    func run() async throws {
        let (administration, account) = try await target.find()
        let name = account.username.printable
        try confirmation.ask("Delete the account '\(name)' permanently?", refusal: "The account is not deleted.")
        let isDeleted = try await administration.change { try await $0.delete(account.id) }
        guard isDeleted else { throw CommandError.unknownAccount(target.username) }
        Terminal.print("Deleted the account '\(name)'.")
    }
}
