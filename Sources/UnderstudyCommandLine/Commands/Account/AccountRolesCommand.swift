import Accounts
import ArgumentParser
import BusinessLogic

/// `understudy account roles`.
struct AccountRolesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roles",
        abstract: "List, add and remove the roles of an account, which pages read.",
        discussion: """
            A role has at most \(Role.maximumLength) letters, digits, '.', '_', ':' and '-', and begins with a letter. Upper and lower case differ. \
            A change ends the sessions of the account, on all servers. \(HelpText.exit)
            """,
        subcommands: [AccountRolesListCommand.self, AccountRolesAddCommand.self, AccountRolesRemoveCommand.self]
    )
}

/// `understudy account roles list`.
struct AccountRolesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the roles of an account.",
        discussion: HelpText.exit
    )

    @Argument(help: AccountArgument.help)
    var username: String

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let account = try await AdminContext.database(storage).knownAccount(username)
        if account.rolesAreDamaged {
            Terminal.printNote("The stored roles cannot be read, and grant nothing: add or remove roles.")
        }
        if json { return Terminal.print(Value.array(account.roles.map { .string($0) }).description) }
        for role in account.roles { Terminal.print(role) }
    }
}

/// A command that changes the roles of an account.
protocol AccountRolesChange: AsyncParsableCommand {
    var target: AccountArgument { get }
    /// The roles to add and to remove.
    func change(of account: Account) -> (added: [String], removed: [String])
}

extension AccountRolesChange {
    func run() async throws {
        let (context, account) = try await target.find()
        let (added, removed) = change(of: account)
        let isChanged: Bool
        do {
            isChanged = try await context.change {
                try await $0.changeRoles(of: account.id, adding: added, removing: removed)
            }
        } catch let error as RoleError {
            throw CommandError("\(error)")
        }
        let roles = try await context.database.account(account.id)?.roles ?? []
        let name = account.username.printable
        let list = roles.isEmpty ? "no roles" : "the roles \(roles.joined(separator: ", "))"
        Terminal.print("The account '\(name)' \(isChanged ? "now" : "already") has \(list).")
    }
}

/// `understudy account roles add`.
struct AccountRolesAddCommand: AccountRolesChange {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Give roles to an account, and end its sessions.",
        discussion: HelpText.exit
    )

    @OptionGroup var target: AccountArgument

    @Argument(help: "The roles.")
    var roles: [String]

    func change(of account: Account) -> (added: [String], removed: [String]) { (roles, []) }
}

/// `understudy account roles remove`.
struct AccountRolesRemoveCommand: AccountRolesChange {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take roles from an account, and end its sessions.",
        discussion: HelpText.exit
    )

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

    func change(of account: Account) -> (added: [String], removed: [String]) { ([], all ? account.roles : roles) }
}
