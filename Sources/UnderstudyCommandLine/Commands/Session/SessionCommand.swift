import ArgumentParser

/// `understudy session`.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "List, show and end the sessions of all servers that use a database.",
        discussion: """
            \(SessionPlaceOptions.help) An ID consists of eight digits, as in the log. It does not give access to the session. \
            \(HelpText.exit)
            """,
        subcommands: [SessionListCommand.self, SessionShowCommand.self, SessionEndCommand.self]
    )
}
