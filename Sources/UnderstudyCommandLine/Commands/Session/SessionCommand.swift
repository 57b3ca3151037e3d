import Accounts
import ArgumentParser
import BusinessLogic
import SessionStorage

/// `understudy session`.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "session",
        subcommands: [SessionListCommand.self, SessionShowCommand.self, SessionEndCommand.self]
    )
}

/// `understudy session list`.
struct SessionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("session list")

    @OptionGroup var selection: SessionOptions

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
    static let configuration = CommandConfiguration("session show")

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
    static let configuration = CommandConfiguration("session end")

    @Argument(help: "The IDs of sessions, which 'session list' shows.")
    var ids: [String] = []

    @OptionGroup var selection: SessionOptions

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
