import Accounts
import ArgumentParser

/// A command that changes an account.
protocol AccountChange: AsyncParsableCommand {
    var target: AccountArgument { get }
    /// Changes the account.
    ///
    /// - Parameter name: the former name of the account, in single quotes.
    /// - Returns: what the command prints.
    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String
}

extension AccountChange {
    func run() async throws {
        let (administration, account) = try await target.find()
        let name = "'\(account.username.printable)'"
        Terminal.print(try await administration.change { try await change(account, name, $0) })
    }
}

/// `understudy account disable`.
struct AccountDisableCommand: AccountChange {
    static let configuration = CommandConfiguration("account disable")

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.setDisabled(true, account.id)
            ? "Disabled the account \(name)." : "The account \(name) is already disabled."
    }
}

/// `understudy account enable`.
struct AccountEnableCommand: AccountChange {
    static let configuration = CommandConfiguration("account enable")

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.setDisabled(false, account.id)
            ? "Enabled the account \(name)." : "The account \(name) is already enabled."
    }
}

/// `understudy account unlock`.
struct AccountUnlockCommand: AccountChange {
    static let configuration = CommandConfiguration("account unlock")

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.unlock(account.id)
            ? "Unlocked the account \(name)." : "The account \(name) has no failed logins."
    }
}

/// `understudy account logout`.
struct AccountLogoutCommand: AccountChange {
    static let configuration = CommandConfiguration("account logout")

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.endSessions(of: account.id)
            ? "Ended all sessions of the account \(name)." : "The account \(name) does not exist any more."
    }
}

/// `understudy account rename`.
struct AccountRenameCommand: AccountChange {
    static let configuration = CommandConfiguration("account rename")

    @OptionGroup var target: AccountArgument

    @Argument(help: "The new name for logging in.")
    var new: String

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try AccountRules.check(email: nil, username: new)
        return try await service.rename(account.id, to: new)
            ? "Renamed the account \(name) to '\(new.printable)'." : "The account \(name) already has this name."
    }
}

/// `understudy account set-email`.
struct AccountSetEmailCommand: AccountChange {
    static let configuration = CommandConfiguration("account set-email")

    @OptionGroup var target: AccountArgument

    @Argument(help: "The new email address.")
    var address: String

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try AccountRules.check(email: address)
        return try await service.setEmail(address, of: account.id)
            ? "Changed the email address of the account \(name) to '\(address.printable)'."
            : "The account \(name) already has this email address."
    }
}

/// `understudy account note`.
struct AccountNoteCommand: AccountChange {
    static let configuration = CommandConfiguration("account note")

    @OptionGroup var target: AccountArgument

    @Argument(help: "What to note, in place of what was noted before. An empty text removes the note.")
    var text: String

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.setNote(text.isEmpty ? nil : text, of: account.id)
            ? "\(text.isEmpty ? "Removed" : "Changed") the note about the account \(name)."
            : "The note about the account \(name) stays as it was."
    }
}
