import Accounts
import ArgumentParser

/// `understudy account`.
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

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    /// Returns the account, and the administration with which to change it.
    ///
    /// - Throws: ``CommandError`` if there is no such account.
    func find(_ passwords: PasswordOptions? = nil) async throws -> (Administration, Account) {
        let administration = try await storage.administration(by: `operator`, passwords)
        return (administration, try await administration.knownAccount(username))
    }
}

extension StorageOptions {
    /// Returns the account that a command shows, and the administration that has read it.
    ///
    /// - Throws: ``CommandError`` if there is no such account.
    func account(_ username: String) async throws -> (Administration, Account) {
        let administration = try await administration()
        return (administration, try await administration.knownAccount(username))
    }
}
