import Accounts
import ArgumentParser
import BusinessLogic
import SessionStorage
import Understudy

/// The option that says where servers have their sessions, of commands that need them in the database.
struct SessionPlaceOptions: ParsableArguments {
    @Option(
        help: "Where the servers have their sessions: memory or database. (default: memory)",
        transform: TextParser<SessionMode>.choice.parse
    )
    var sessions: SessionMode?

    /// The help about where sessions are.
    static let help = """
        The command needs 'sessions database': the sessions of all servers are in the database, also while no server runs. With 'sessions memory', which \
        is the default, the pages for operators of a server list, show and end its sessions.
        """

    /// The administration of the sessions in the database.
    ///
    /// - Throws: ``CommandError`` if they are not there, or there is no database.
    func administration(_ storage: StorageOptions, by operator: OperatorOptions? = nil) async throws -> Administration {
        let settings = try storage.configuration.settings()
        guard try (sessions ?? settings.value(Settings.sessions)) == .database else {
            throw CommandError(
                """
                With 'sessions memory', each server has its sessions in its memory: list, show and end them on its pages for operators, which \
                'admin-token-file' switches on, or log a user out everywhere with 'account logout'. If the servers have their sessions in the \
                database, add '--sessions database'.
                """
            )
        }
        return try await storage.administration(settings, by: `operator`)
    }
}

extension Administration {
    /// The session with an ID of eight digits.
    ///
    /// - Throws: ``CommandError`` if there is no such session.
    func knownSession(_ id: String) async throws -> ListedSession {
        let found = try await directory.sessions(brief: id)
        guard let session = found.first else {
            throw CommandError("There is no session '\(id.printable)' in the database.")
        }
        // One of four billion for each pair.
        guard found.count == 1 else {
            throw CommandError("There is more than one session '\(id.printable)': select them by account.")
        }
        return session
    }

    /// Calls `body` with the selected sessions, in the order in which they were started.
    ///
    /// - Throws: ``CommandError`` if there is no such account.
    func forEachSession(_ selection: SessionSelection, _ body: (SessionSummary) -> Void) async throws {
        var filter = SessionFilter()
        if let account = selection.account { filter.user = try await knownAccount(account).id.text }
        let now = clock.now
        filter.created = selection.olderThan.map { now - $0 }
        filter.lastUsed = selection.unusedFor.map { now - $0 }
        try await readParts(by: \.session.number) { [filter] in
            try await sessions(filter, after: $0, limit: 500)
        } body: {
            $0.forEach(body)
        }
    }
}

/// Which sessions a command lists or ends.
struct SessionSelection: ParsableArguments {
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

    @Option(
        help: ArgumentHelp("Only sessions that no request has used for at least this time.", valueName: "time"),
        transform: TextParser.duration.parse
    )
    var unusedFor: Duration?

    /// Whether all sessions are selected.
    var isEmpty: Bool { account == nil && olderThan == nil && unusedFor == nil }
}
