import Accounts
import ArgumentParser

/// `understudy account disable`.
struct AccountDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Let nobody log in to an account, and end its sessions.",
        discussion: Help.exit
    )

    @OptionGroup var target: AccountTarget

    func run() async throws {
        try await target.change {
            try await $0.setDisabled(true, $1)
        } _: {
            "Disabled the account \($0)."
        } otherwise: {
            "The account \($0) is disabled already."
        }
    }
}

/// `understudy account enable`.
struct AccountEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Let the owner of a disabled account log in again.",
        discussion: Help.exit
    )

    @OptionGroup var target: AccountTarget

    func run() async throws {
        try await target.change {
            try await $0.setDisabled(false, $1)
        } _: {
            "Enabled the account \($0)."
        } otherwise: {
            "The account \($0) is enabled already."
        }
    }
}

/// `understudy account unlock`.
struct AccountUnlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Forget an account's failed logins, so that its owner need not wait.",
        discussion: Help.exit
    )

    @OptionGroup var target: AccountTarget

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
