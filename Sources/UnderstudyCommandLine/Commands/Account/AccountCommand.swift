import Accounts
import ArgumentParser
import BundledControllers
import BusinessLogic
import FoundationEssentials

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "account",
        subcommands: [
            AccountAddCommand.self, AccountListCommand.self, AccountShowCommand.self, AccountExportCommand.self,
            AccountDisableCommand.self, AccountEnableCommand.self,
            AccountUnlockCommand.self, AccountLogoutCommand.self, AccountRenameCommand.self,
            AccountSetEmailCommand.self, AccountSetPasswordCommand.self, AccountFactorsCommand.self,
            AccountRolesCommand.self, AccountNoteCommand.self, AccountDeleteCommand.self, AccountImportCommand.self,
        ]
    )
}

/// The account that a command changes, with its database and its audit log.
struct AccountArgument: ParsableArguments {
    static let help: ArgumentHelp = "The account's username, email address or id."

    @Argument(help: help)
    var username: String

    @OptionGroup var change: OperatorOptions

    /// Returns the account, and the administration with which to change it.
    func find(_ passwords: PasswordOptions? = nil) async throws -> (Administration, Account) {
        try await change.administration(hashing: passwords).withAccount(username)
    }
}

/// A command that changes an account.
protocol AccountChange: AsyncParsableCommand {
    var target: AccountArgument { get }
    /// Changes the account, whose former name in single quotes is `name`. Returns what the command prints.
    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String
}

extension AccountChange {
    func run() async throws {
        let (administration, account) = try await target.find()
        let name = "'\(account.username.printable)'"
        Terminal.print(try await administration.change { try await change(account, name, $0) })
    }
}

struct AccountDisableCommand: AccountChange {
    static let configuration = CommandConfiguration("account disable")

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.setDisabled(true, account.id)
            ? "Disabled the account \(name)." : "The account \(name) is already disabled."
    }
}

struct AccountEnableCommand: AccountChange {
    static let configuration = CommandConfiguration("account enable")

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.setDisabled(false, account.id)
            ? "Enabled the account \(name)." : "The account \(name) is already enabled."
    }
}

struct AccountUnlockCommand: AccountChange {
    static let configuration = CommandConfiguration("account unlock")

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.unlock(account.id)
            ? "Unlocked the account \(name)." : "The account \(name) has no failed logins."
    }
}

struct AccountLogoutCommand: AccountChange {
    static let configuration = CommandConfiguration("account logout")

    @OptionGroup var target: AccountArgument

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        try await service.endSessions(of: account.id)
            ? "Ended all sessions of the account \(name)." : "The account \(name) does not exist any more."
    }
}

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

struct AccountRolesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "account roles",
        subcommands: [AccountRolesAddCommand.self, AccountRolesRemoveCommand.self]
    )
}

/// A command that changes the roles of an account.
protocol AccountRolesChange: AsyncParsableCommand {
    var target: AccountArgument { get }
    /// Changes the roles, and returns whether they were others.
    func change(_ account: Account, _ service: AccountService) async throws -> Bool
}

extension AccountRolesChange {
    func run() async throws {
        let (administration, account) = try await target.find()
        let isChanged = try await administration.change { try await change(account, $0) }
        let roles = try await administration.database.account(account.id)?.roles ?? []
        let list = roles.isEmpty ? "no roles" : "the roles \(roles.joined(separator: ", "))"
        let name = account.username.printable
        Terminal.print("The account '\(name)' \(isChanged ? "now" : "already") has \(list).")
    }
}

struct AccountRolesAddCommand: AccountRolesChange {
    static let configuration = CommandConfiguration("account roles add")

    @OptionGroup var target: AccountArgument

    @Argument(help: "The roles.")
    var roles: [String]

    func change(_ account: Account, _ service: AccountService) async throws -> Bool {
        try await service.changeRoles(of: account.id, adding: roles)
    }
}

struct AccountRolesRemoveCommand: AccountRolesChange {
    static let configuration = CommandConfiguration("account roles remove")

    @OptionGroup var target: AccountArgument

    @Argument(help: "The roles.")
    var roles: [String] = []

    @Flag(help: "Remove all roles.")
    var all = false

    func validate() throws {
        guard all == roles.isEmpty else {
            throw ValidationError("Name the roles to remove, or remove all with '--all'.")
        }
    }

    func change(_ account: Account, _ service: AccountService) async throws -> Bool {
        try await service.changeRoles(of: account.id, removing: all ? account.roles : roles)
    }
}

struct AccountFactorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "account factors",
        subcommands: [AccountFactorsListCommand.self, AccountFactorsRemoveCommand.self]
    )
}

struct AccountFactorsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account factors list")

    @Argument(help: AccountArgument.help)
    var username: String

    @Flag(
        help: """
            Print the JSON object that 'account import' reads in the member 'factors'. It contains the secret of the authenticator app, with which \
            its codes can be computed.
            """
    )
    var secrets = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let factors = try await storage.administration().withAccount(username).1.factors
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if secrets { return Terminal.print(String(decoding: try encoder.encode(factors), as: UTF8.self).escaped) }
        let lines = factors.lines
        if lines.isEmpty { return Terminal.printNote("The account has no factors: its password is enough.") }
        for line in lines { Terminal.print(line) }
    }
}

struct AccountFactorsRemoveCommand: AccountChange {
    static let configuration = CommandConfiguration("account factors remove")

    @OptionGroup var target: AccountArgument

    @Option(help: "The ID of the passkey to remove, which 'account factors list' prints.")
    var passkey: String?

    @Flag(help: "Remove the authenticator app.")
    var app = false

    @Flag(help: "Remove all factors and the recovery codes.")
    var all = false

    func validate() throws {
        guard [passkey != nil, app, all].count(where: { $0 }) == 1 else {
            throw ValidationError("Name one thing to remove: '--passkey ID', '--app' or '--all'.")
        }
    }

    func change(_ account: Account, _ name: String, _ service: AccountService) async throws -> String {
        let factor: AccountService.RemovedFactor = passkey.map { .passkey($0) } ?? (app ? .authenticatorApp : .all)
        guard try await service.remove(factor, of: account.id) else {
            throw CommandError("The account \(name) has no such factor.")
        }
        return "Removed \(removed) of the account \(name)."
    }

    private var removed: String { passkey != nil ? "the passkey" : app ? "the authenticator app" : "all factors" }
}

extension Factors {
    fileprivate var lines: [String] {
        let factors = shown()
        func line(_ kind: String, _ parts: [String?]) -> String {
            kind.padded(to: 18) + parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "  ").printable
        }
        func used(_ time: Timestamp?) -> String { time.map { "last used \($0.brief)" } ?? "never used" }
        var lines = factors.passkeys.map { passkey in
            line("passkey", [passkey.id, "added \(passkey.created.brief)", used(passkey.lastUsed), passkey.name])
        }
        if let app = factors.authenticatorApp {
            lines.append(line("authenticator app", ["added \(app.created.brief)", used(app.lastUsed)]))
        }
        if areDamaged == true { lines.append(line("damaged", ["the stored factors cannot be read: remove all"])) }
        if factors.recoveryCodes > 0 { lines.append(line("recovery codes", ["\(factors.recoveryCodes) not used"])) }
        return lines
    }
}
