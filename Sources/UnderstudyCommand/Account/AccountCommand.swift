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

/// The account that a command is about.
struct AccountArgument: ParsableArguments {
    @Argument(help: "The account: its username, email address or id.")
    var username: String
}
