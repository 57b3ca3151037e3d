import Accounts
import ArgumentParser

/// `understudy account roles`.
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

/// `understudy account roles add`.
struct AccountRolesAddCommand: AccountRolesChange {
    static let configuration = CommandConfiguration("account roles add")

    @OptionGroup var target: AccountArgument

    @Argument(help: "The roles.")
    var roles: [String]

    func change(_ account: Account, _ service: AccountService) async throws -> Bool {
        try await service.changeRoles(of: account.id, adding: roles)
    }
}

/// `understudy account roles remove`.
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
