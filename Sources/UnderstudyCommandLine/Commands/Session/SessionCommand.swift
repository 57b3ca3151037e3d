import ArgumentParser

/// `understudy session`.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "session",
        "List, show and end the sessions of all servers that use a database.",
        """
        \(SessionPlaceOptions.help) An ID consists of eight digits, as in the log. It does not give access to the session.
        """,
        subcommands: [SessionListCommand.self, SessionShowCommand.self, SessionEndCommand.self]
    )
}
