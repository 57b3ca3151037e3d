import Accounts
import ArgumentParser

/// `understudy account disable`.
struct AccountDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Let nobody log in to an account, and end its sessions.",
        discussion: Help.exit
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions

    func run() async throws {
        let office = try Office(storage, audit)
        let account = try await office.account(argument.username)
        let hasChanged = try await office.service.setDisabled(true, account.id)
        let name = account.username.printable
        Terminal.print(hasChanged ? "Disabled the account '\(name)'." : "The account '\(name)' is disabled already.")
    }
}

/// `understudy account enable`.
struct AccountEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Let the owner of a disabled account log in again.",
        discussion: Help.exit
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions

    func run() async throws {
        let office = try Office(storage, audit)
        let account = try await office.account(argument.username)
        let hasChanged = try await office.service.setDisabled(false, account.id)
        let name = account.username.printable
        Terminal.print(hasChanged ? "Enabled the account '\(name)'." : "The account '\(name)' is enabled already.")
    }
}

/// `understudy account unlock`.
struct AccountUnlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Forget an account's failed logins, so that its owner need not wait.",
        discussion: Help.exit
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions

    func run() async throws {
        let office = try Office(storage, audit)
        let account = try await office.account(argument.username)
        let hasChanged = try await office.service.unlock(account.id)
        let name = account.username.printable
        Terminal.print(hasChanged ? "Unlocked the account '\(name)'." : "The account '\(name)' has no failed logins.")
    }
}
