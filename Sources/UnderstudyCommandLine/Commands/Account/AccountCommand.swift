import ArgumentParser

/// `understudy account`.
struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "account",
        "Add, list, change and delete accounts, even while a server runs.",
        """
        A USERNAME can be the username, the email address or the id of an account. \
        \(HelpText.password)
        """,
        subcommands: [
            AccountAddCommand.self, AccountListCommand.self, AccountShowCommand.self, AccountExportCommand.self,
            AccountDisableCommand.self,
            AccountEnableCommand.self,
            AccountUnlockCommand.self, AccountLogoutCommand.self, AccountRenameCommand.self,
            AccountSetEmailCommand.self, AccountSetPasswordCommand.self, AccountFactorsCommand.self,
            AccountRolesCommand.self, AccountNoteCommand.self, AccountDeleteCommand.self, AccountImportCommand.self,
        ]
    )
}
