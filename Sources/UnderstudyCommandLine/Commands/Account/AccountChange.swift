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
    static let configuration = CommandConfiguration(
        "disable",
        "Disable an account, so that its owner cannot log in, and end its sessions."
    )

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.setDisabled(true, account.id)
            ? "Disabled the account \(name)." : "The account \(name) is already disabled."
    }
}

/// `understudy account enable`.
struct AccountEnableCommand: AccountChange {
    static let configuration = CommandConfiguration(
        "enable",
        "Enable a disabled account, so that its owner can log in again."
    )

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.setDisabled(false, account.id)
            ? "Enabled the account \(name)." : "The account \(name) is already enabled."
    }
}

/// `understudy account unlock`.
struct AccountUnlockCommand: AccountChange {
    static let configuration = CommandConfiguration(
        "unlock",
        "Reset an account's failed logins, so that its owner can log in at once."
    )

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.unlock(account.id)
            ? "Unlocked the account \(name)." : "The account \(name) has no failed logins."
    }
}

/// `understudy account logout`.
struct AccountLogoutCommand: AccountChange {
    static let configuration = CommandConfiguration(
        "logout",
        "End all sessions of an account, on all servers, and forget its devices.",
        "Its owner can log in again: to prevent this, disable the account."
    )

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.endSessions(of: account.id)
            ? "Ended all sessions of the account \(name)." : "The account \(name) does not exist any more."
    }
}

/// `understudy account rename`.
struct AccountRenameCommand: AccountChange {
    static let configuration = CommandConfiguration(
        "rename",
        "Give an account another name for logging in, and end its sessions.",
        "The email address stays."
    )

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
    static let configuration = CommandConfiguration(
        "set-email",
        "Give an account another email address, and end its sessions.",
        """
        The new address is not confirmed. A username that is the former address changes as well. Codes that were sent to the former address \
        no longer work. The command sends no mail: inform the owner.
        """
    )

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
    static let configuration = CommandConfiguration(
        "note",
        "Change the note about an account, which its owner never sees.",
        "A note has at most \(AccountText.note.maximum) characters; 'account show' and 'account export' print it."
    )

    @OptionGroup var target: AccountArgument

    @Argument(help: "What to note, in place of what was noted before. An empty text removes the note.")
    var text: String

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.setNote(text.isEmpty ? nil : text, of: account.id)
            ? "\(text.isEmpty ? "Removed" : "Changed") the note about the account \(name)."
            : "The note about the account \(name) stays as it was."
    }
}
