import Accounts
import ArgumentParser
import BusinessLogic
import Understudy

struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "session",
        subcommands: [SessionListCommand.self, SessionShowCommand.self, SessionEndCommand.self]
    )
}

struct SessionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("session list")

    @OptionGroup var selection: SessionOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "Print only how many sessions there are.")
    var count = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await storage.sessions()
        let filter = try await administration.filter(selection)
        if count {
            var number = 0
            try await administration.forEachSession(filter) { _ in number += 1 }
            return Terminal.print("\(number)")
        }
        if !json {
            Terminal.print(Terminal.strong(Self.row(["ID", "STARTED", "LAST USED", "EVENTS", "BYTES", "USER"])))
        }
        try await administration.forEachSession(filter) { session in
            if json { return Terminal.print(json: session) }
            let texts = [
                session.brief, session.created.brief, session.lastUsed.brief, "\(session.events)",
                "\(session.size)", session.username?.printable ?? "-",
            ]
            Terminal.print(Self.row(texts))
        }
    }

    private static func row(_ texts: [String]) -> String { .row(texts, widths: [8, 20, 20, 6, 8]) }
}

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

struct SessionEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("session end")

    @Argument(help: "The IDs of sessions, which 'session list' shows.")
    var ids: [String] = []

    @OptionGroup var selection: SessionOptions

    @OptionGroup var change: OperatorOptions

    func validate() throws {
        guard ids.isEmpty != selection.isEmpty else {
            throw ValidationError("Either name the sessions by their IDs, or select them with options.")
        }
    }

    func run() async throws {
        let administration = try await change.storage.sessions(by: change)
        // All before the first one ends, because the list could miss some otherwise.
        var sessions: [ListedSession] = []
        for id in ids { sessions.append(try await administration.knownSession(id)) }
        if ids.isEmpty {
            let filter = try await administration.filter(selection)
            try await administration.forEachSession(filter) { sessions.append($0) }
        }
        for session in sessions { try await administration.end(session) }
        Terminal.print("Ended \(String.count(sessions.count, "session")).")
    }
}

extension StorageOptions {
    /// The administration of the sessions in the database. Prints a note if servers with the same settings have theirs in memory.
    func sessions(by operator: OperatorOptions? = nil) async throws -> Administration {
        let settings = try self.settings()
        if try settings.value(Settings.sessions) == .memory {
            Terminal.printNote(HelpText.text(of: "{{sessions in memory}}"))
        }
        return try await administration(settings, by: `operator`)
    }
}

extension Administration {
    /// The session with an ID of eight digits.
    func knownSession(_ id: String) async throws -> ListedSession {
        if let session = try await directory.session(brief: id) { return session }
        throw CommandError("There is no session '\(id.printable)' in the database.")
    }

    func filter(_ selection: SessionOptions) async throws -> SessionFilter {
        var filter = SessionFilter()
        if let account = selection.account { filter.user = try await knownAccount(account).id.text }
        filter.created = selection.olderThan.map { clock.now - $0 }
        return filter
    }

    /// Calls `body` with sessions, in the order in which they were started.
    func forEachSession(_ filter: SessionFilter, _ body: (ListedSession) -> Void) async throws {
        try await forEach(by: \.number, { try await sessions(filter, after: $0, limit: 500) }, body: body)
    }
}

/// Which sessions a command lists or ends.
struct SessionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only sessions of this account: a username, an email address or an id.",
            valueName: "username"
        )
    )
    var account: String?

    @Option(
        help: ArgumentHelp("Only sessions that were started at least this time ago, such as 12h.", valueName: "time"),
        transform: TextParser.duration.parse
    )
    var olderThan: Duration?

    /// Whether all sessions are selected.
    var isEmpty: Bool { account == nil && olderThan == nil }
}
