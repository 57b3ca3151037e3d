import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy account roles`.
struct AccountRolesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "roles",
        "List, add and remove the roles of an account, which pages read.",
        """
        A role has at most \(Role.maximumLength) letters, digits, '.', '_', ':' and '-', and begins with a letter. Upper and lower case differ. \
        A change ends the sessions of the account, on all servers.
        """,
        subcommands: [AccountRolesListCommand.self, AccountRolesAddCommand.self, AccountRolesRemoveCommand.self]
    )
}

/// `understudy account roles list`.
struct AccountRolesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("list", "List the roles of an account.")

    @OptionGroup var target: ShownAccountArgument

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let account = try await target.find(storage).1
        if account.rolesAreDamaged {
            Terminal.printNote("The stored roles cannot be read, and grant nothing: add or remove roles.")
        }
        if json { return Terminal.print(json: account.roles.screenValue) }
        for role in account.roles { Terminal.print(role) }
    }
}

/// A command that changes the roles of an account.
protocol AccountRolesChange: AccountChange {}

extension AccountRolesChange {
    func report(_ name: String, isChanged: Bool, _ current: Account?) -> String {
        let roles = current?.roles ?? []
        let list = roles.isEmpty ? "no roles" : "the roles \(roles.joined(separator: ", "))"
        return "The account \(name) \(isChanged ? "now" : "already") has \(list)."
    }
}

/// `understudy account roles add`.
struct AccountRolesAddCommand: AccountRolesChange {
    static let configuration = CommandConfiguration("add", "Give roles to an account, and end its sessions.")

    @OptionGroup var target: AccountArgument

    @Argument(help: "The roles.")
    var roles: [String]

    func change(_ account: Account, _ service: AccountService) async throws -> Bool {
        try await service.changeRoles(of: account.id, adding: roles)
    }
}

/// `understudy account roles remove`.
struct AccountRolesRemoveCommand: AccountRolesChange {
    static let configuration = CommandConfiguration("remove", "Take roles from an account, and end its sessions.")

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
