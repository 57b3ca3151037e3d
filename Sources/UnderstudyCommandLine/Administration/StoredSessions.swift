import Accounts
import AccountsDatabase
import BusinessLogic
import OperatorPages
import SessionStorage
import Understudy

/// The sessions that servers share in a database.
struct StoredSessions: OperatedSessions {
    private let database: any Database
    private let directory: DatabaseSessions
    private let clock: any WallClock
    /// Records which sessions end; `nil` for a command that ends none.
    private let context: AdminContext?
    /// Where sessions can be that are not in the database; `nil` if they are all there.
    private let hint: String?

    init(_ database: any Database, clock: any WallClock, context: AdminContext? = nil, hint: String?) {
        self.database = database
        directory = DatabaseSessions(database: database)
        self.clock = clock
        self.context = context
        self.hint = hint
    }

    func forEach(_ selection: SessionSelection, _ body: (SessionSummary) -> Void) async throws {
        var usernames = Usernames(database: database)
        try await forEach(try await filter(selection)) { session in
            body(SessionSummary(session, username: try await usernames.name(of: session.user)))
        }
        try await noteIfEmpty()
    }

    /// Says where sessions can be if there are none in the database.
    private func noteIfEmpty() async throws {
        guard let hint, try await directory.sessions(SessionFilter(), after: 0, limit: 1).isEmpty else { return }
        Terminal.printNote("There are no sessions in the database. \(hint)")
    }

    func shown(_ id: String) async throws -> ShownSession {
        let session = try await session(id)
        guard let content = try await directory.content(of: session) else {
            throw CommandError("The session '\(id.printable)' has ended.")
        }
        return ShownSession(content, session, pages: try Application.current.pages(PageDependencies()))
    }

    func end(_ ids: [String]) async throws {
        var sessions: [ListedSession] = []
        for id in ids { sessions.append(try await session(id)) }
        try await end(sessions)
    }

    func end(_ selection: SessionSelection) async throws -> Int {
        var sessions: [ListedSession] = []
        // All before the first one ends, because the list could miss some otherwise.
        try await forEach(try await filter(selection)) { sessions.append($0) }
        try await end(sessions)
        if sessions.isEmpty { try await noteIfEmpty() }
        return sessions.count
    }

    private func filter(_ selection: SessionSelection) async throws -> SessionFilter {
        var filter = SessionFilter()
        if let account = selection.account { filter.user = try await database.knownAccount(account).id.text }
        if let address = selection.address { filter.address = try await directory.hash(of: address.address) }
        filter.ages = selection.ages(at: clock.now)
        return filter
    }

    private func forEach(_ filter: SessionFilter, _ body: (ListedSession) async throws -> Void) async throws {
        var last = 0
        while true {
            let sessions = try await directory.sessions(filter, after: last, limit: 500)
            for session in sessions { try await body(session) }
            guard let end = sessions.last else { return }
            last = end.number
        }
    }

    private func session(_ id: String) async throws -> ListedSession {
        let found = try await directory.sessions(brief: id)
        guard let session = found.first else {
            let missing = "There is no session '\(id.printable)' in the database."
            throw CommandError(hint.map { "\(missing) \($0)" } ?? missing)
        }
        // One of four billion for each pair.
        guard found.count == 1 else {
            throw CommandError("There is more than one session '\(id.printable)': select them by account.")
        }
        return session
    }

    private func end(_ sessions: [ListedSession]) async throws {
        for session in sessions {
            try await directory.end(session)
            await context?.record(.sessionEnded, account: session.user.flatMap(AccountID.init), reason: session.brief)
        }
    }
}
