import ArgumentParser

/// `understudy session`.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "List, show and end the sessions of all servers that use a database, even while they run.",
        discussion: """
            Only sessions in the database ('sessions database'): those in the memory of a server end with 'account logout', if a user is \
            logged in. An ID consists of eight digits, as in the log. It does not give access to the session. \(HelpText.exit)
            """,
        subcommands: [SessionListCommand.self, SessionShowCommand.self, SessionEndCommand.self]
    )
}
