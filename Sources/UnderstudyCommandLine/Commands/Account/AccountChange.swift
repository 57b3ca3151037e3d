import Accounts
import ArgumentParser

/// A command that changes the state of an account.
protocol AccountChange: AsyncParsableCommand {
    var target: AccountArgument { get }
    /// The words before the account's name if the account was in another state.
    static var done: String { get }
    /// The words after the account's name if it was in that state already.
    static var nothingDone: String { get }
    /// Changes the account, and returns whether it was in another state.
    static func change(_ account: AccountID, _ service: AccountService) async throws -> Bool
}

extension AccountChange {
    func run() async throws {
        let (context, account) = try await target.find()
        let name = "'\(account.username.printable)'"
        let isChanged = try await context.change { try await Self.change(account.id, $0) }
        Terminal.print(
            isChanged ? "\(Self.done) the account \(name)." : "The account \(name) \(Self.nothingDone)."
        )
    }
}

/// `understudy account disable`.
struct AccountDisableCommand: AccountChange {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable an account, so that its owner cannot log in, and end its sessions.",
        discussion: HelpText.exit
    )
    static let done = "Disabled"
    static let nothingDone = "is already disabled"

    @OptionGroup var target: AccountArgument

    static func change(_ account: AccountID, _ service: AccountService) async throws -> Bool {
        try await service.setDisabled(true, account)
    }
}

/// `understudy account enable`.
struct AccountEnableCommand: AccountChange {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Enable a disabled account, so that its owner can log in again.",
        discussion: HelpText.exit
    )
    static let done = "Enabled"
    static let nothingDone = "is already enabled"

    @OptionGroup var target: AccountArgument

    static func change(_ account: AccountID, _ service: AccountService) async throws -> Bool {
        try await service.setDisabled(false, account)
    }
}

/// `understudy account unlock`.
struct AccountUnlockCommand: AccountChange {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Reset an account's failed logins, so that its owner can log in at once.",
        discussion: HelpText.exit
    )
    static let done = "Unlocked"
    static let nothingDone = "has no failed logins"

    @OptionGroup var target: AccountArgument

    static func change(_ account: AccountID, _ service: AccountService) async throws -> Bool {
        try await service.unlock(account)
    }
}

/// `understudy account logout`.
struct AccountLogoutCommand: AccountChange {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "End all sessions of an account, on all servers, and forget its devices.",
        discussion: "Its owner can log in again: to prevent this, disable the account. \(HelpText.exit)"
    )
    static let done = "Ended all sessions of"
    static let nothingDone = "does not exist any more"

    @OptionGroup var target: AccountArgument

    static func change(_ account: AccountID, _ service: AccountService) async throws -> Bool {
        try await service.endSessions(of: account)
    }
}
