import Accounts
import ArgumentParser

/// `understudy account`.
struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Add, list, change and delete accounts, also while a server runs.",
        discussion: """
            A USERNAME is what its owner logs in with; the email address or the id will do as well. \
            \(Help.password) \(Help.exit)
            """,
        subcommands: [
            AccountAdd.self, AccountList.self, AccountShow.self, AccountDisable.self, AccountEnable.self,
            AccountUnlock.self, AccountSetPassword.self, AccountDelete.self, AccountImport.self,
        ]
    )
}

/// What several commands say in their help.
enum Help {
    static let exit = "Exit status: 0 done, 1 failed, 64 wrong usage."
    static let password =
        "A password is asked for on the terminal, or is the first line of standard input; it is never an argument."
}

/// The account that a command changes, where it is kept, and where the change is told.
struct AccountTarget: ParsableArguments {
    /// What the help says of the argument that names an account.
    static let usernameHelp: ArgumentHelp = "The account: its username, email address or id."

    @Argument(help: usernameHelp)
    var username: String

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions

    /// The account, and where it is kept.
    ///
    /// - Throws: ``CommandError`` where there is none.
    func find(_ passwords: PasswordOptions? = nil) async throws -> (office: AdminContext, account: Account) {
        let settings = try await storage.configuration.settings()
        let office = try AdminContext(storage, audit, passwords, settings)
        return (office, try await office.database.knownAccount(username))
    }

    /// Changes the account, and prints the sentence that then holds: the first where something has changed. Both are told
    /// the account's name.
    func change(
        _ body: (AccountService, AccountID) async throws -> Bool,
        _ done: (String) -> String,
        otherwise nothingDone: (String) -> String
    ) async throws {
        let (office, account) = try await find()
        let name = "'\(account.username.printable)'"
        Terminal.print(try await body(office.service, account.id) ? done(name) : nothingDone(name))
    }
}
