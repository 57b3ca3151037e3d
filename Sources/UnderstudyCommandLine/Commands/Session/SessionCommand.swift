import Accounts
import ArgumentParser
import BusinessLogic
import SessionStorage

/// `understudy session`.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "session",
        "List, show and end the sessions of all servers that use a database.",
        """
        With 'sessions database', the sessions of all servers are in the database, also while no server runs. \(help) An ID consists of eight \
        digits, as in the log. It does not give access to the session.
        """,
        subcommands: [SessionListCommand.self, SessionShowCommand.self, SessionEndCommand.self]
    )

    static let help = """
        With 'sessions memory', which is the default, each server has its sessions in its memory: its pages for operators list, show and end \
        them, and 'account logout' ends those of a user.
        """
}

/// `understudy session list`.
struct SessionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "list",
        "List sessions, in the order in which they were started.",
        SessionCommand.help
    )

    @OptionGroup var selection: SessionSelection

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await storage.sessions()
        let filter = try await administration.filter(selection)
        if !json {
            Terminal.print(Terminal.strong(Self.row(["ID", "STARTED", "LAST USED", "EVENTS", "BYTES", "USER"])))
        }
        try await administration.forEachSession(filter) { summary in
            if json { return Terminal.print(json: summary) }
            let session = summary.session
            let texts = [
                session.brief, session.created.brief, session.lastUsed.brief, session.events.map { "\($0)" } ?? "-",
                "\(session.size)", summary.username?.printable ?? "-",
            ]
            Terminal.print(Self.row(texts))
        }
    }

    private static func row(_ texts: [String]) -> String { .row(texts, widths: [8, 20, 20, 6, 8]) }
}

/// `understudy session show`.
struct SessionShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "show",
        "Show a session: its user, what its pages show, and its latest commands.",
        """
        Without secrets: values of secret fields are never stored, those of secret outputs are replaced, and of session values only \
        the names are shown. \(SessionCommand.help)
        """
    )

    @Argument(help: "The session's ID, which logs and 'session list' contain.")
    var id: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await storage.sessions()
        guard let shown = try await administration.details(of: administration.knownSession(id)) else {
            throw CommandError("The session '\(id.printable)' has ended.")
        }
        if json { return Terminal.print(json: shown) }
        for line in shown.lines { Terminal.print(line) }
    }
}

/// `understudy session end`.
struct SessionEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "end",
        "End sessions.",
        """
        Without an ID or an option that selects sessions, it ends none; '--older-than 0s' selects all. If an ID is unknown, no session ends. \
        An event that a server handles at this moment is not stored; the next request of the session starts a new one, or gets 401. \
        A user can log in again: to prevent this, disable the account. \(SessionCommand.help)
        """
    )

    @Argument(help: "The IDs of sessions, which 'session list' shows.")
    var ids: [String] = []

    @OptionGroup var selection: SessionSelection

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func validate() throws {
        guard ids.isEmpty != selection.isEmpty else {
            throw ValidationError("Either name the sessions by their IDs, or select them with options.")
        }
    }

    func run() async throws {
        let administration = try await storage.sessions(by: `operator`)
        // All before the first one ends, because the list could miss some otherwise.
        var sessions: [ListedSession] = []
        for id in ids { sessions.append(try await administration.knownSession(id)) }
        if ids.isEmpty {
            let filter = try await administration.filter(selection)
            try await administration.forEachSession(filter) { sessions.append($0.session) }
        }
        for session in sessions { try await administration.end(session) }
        Terminal.print("Ended \(String.count(sessions.count, "session")).")
    }
}
