import Accounts
import ArgumentParser
import BusinessLogic
import SessionStorage
import Understudy

extension StorageOptions {
    /// The administration of the sessions in the database. Prints a note if servers with the same settings have theirs in memory.
    func sessions(by operator: OperatorOptions? = nil) async throws -> Administration {
        let settings = try configuration.settings()
        if try settings.value(Settings.sessions) == .memory {
            Terminal.printNote(HelpText.text(of: "{{sessions in memory}}"))
        }
        return try await administration(settings, by: `operator`)
    }
}

extension Administration {
    /// The session with an ID of eight digits.
    ///
    /// - Throws: ``CommandError`` if there is no such session.
    func knownSession(_ id: String) async throws -> ListedSession {
        if let session = try await directory.session(brief: id) { return session }
        throw CommandError("There is no session '\(id.printable)' in the database.")
    }

    /// The filter of a selection.
    ///
    /// - Throws: ``CommandError`` if there is no such account.
    func filter(_ selection: SessionOptions) async throws -> SessionFilter {
        var filter = SessionFilter()
        if let account = selection.account { filter.user = try await knownAccount(account).id.text }
        filter.created = selection.olderThan.map { clock.now - $0 }
        return filter
    }

    /// Calls `body` with sessions, in the order in which they were started.
    func forEachSession(_ filter: SessionFilter, _ body: (SessionSummary) -> Void) async throws {
        try await forEach(by: \.session.number, { try await sessions(filter, after: $0, limit: 500) }, body: body)
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
