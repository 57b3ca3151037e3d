import Accounts
import ArgumentParser
import BundledControllers
import BusinessLogic
import FoundationEssentials

/// `understudy account factors`.
struct AccountFactorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "account factors",
        subcommands: [AccountFactorsListCommand.self, AccountFactorsRemoveCommand.self]
    )
}

/// `understudy account factors list`.
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
        let factors = try await storage.account(username).1.factors
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if secrets { return Terminal.print(String(decoding: try encoder.encode(factors), as: UTF8.self).escaped) }
        let lines = factors.lines
        if lines.isEmpty { return Terminal.printNote("The account has no factors: its password is enough.") }
        for line in lines { Terminal.print(line) }
    }
}

/// `understudy account factors remove`.
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
    /// A line for each factor.
    fileprivate var lines: [String] {
        let factors = shown
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
