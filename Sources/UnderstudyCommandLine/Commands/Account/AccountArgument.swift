import Accounts
import ArgumentParser

/// The account that a command changes, with its database and its audit log.
struct AccountArgument: ParsableArguments {
    static let help: ArgumentHelp = "The account's username, email address or id."

    @Argument(help: help)
    var username: String

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    /// Returns the account, and the context in which to change it.
    ///
    /// - Throws: ``CommandError`` if there is no such account.
    func find(_ passwords: PasswordOptions? = nil) async throws -> (context: AdminContext, account: Account) {
        let settings = try storage.configuration.settings()
        let context = try await AdminContext(storage, `operator`, passwords, settings)
        return (context, try await context.database.knownAccount(username))
    }
}
