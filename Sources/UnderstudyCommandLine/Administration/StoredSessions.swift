import Accounts
import AccountsDatabase
import BusinessLogic
import OperatorPages
import SessionStorage
import Understudy

/// The sessions that servers share in a database, on which the commands of `understudy session` act.
struct StoredSessions {
    private let database: any Database
    private let directory: DatabaseSessions
    private let clock: any WallClock
    /// Records which sessions end; `nil` for a command that ends none.
    private let context: AdminContext?

    init(_ database: any Database, clock: any WallClock, context: AdminContext? = nil) {
        self.database = database
        directory = DatabaseSessions(database: database)
        self.clock = clock
        self.context = context
    }

    /// Calls `body` with each selected session, in the order in which they were started.
    ///
    /// - Throws: ``CommandError`` if there is no such account.
    func forEach(_ selection: SessionSelection, _ body: (SessionSummary) -> Void) async throws {
        var usernames = Usernames(database: database)
        try await forEach(try await filter(selection)) { session in
            body(SessionSummary(session, username: try await usernames.name(of: session.user)))
        }
    }

    /// A session, without secrets.
    ///
    /// - Parameter id: the ID of eight digits.
    /// - Throws: ``CommandError`` if there is no such session.
    func shown(_ id: String) async throws -> ShownSession {
        let session = try await session(id)
        guard let content = try await directory.content(of: session) else {
            throw CommandError("The session '\(id.printable)' has ended.")
        }
        return ShownSession(content, session, pages: try Application.current.pages(PageDependencies()))
    }

    /// Ends sessions, and records each.
    ///
    /// - Parameter ids: their IDs of eight digits.
    /// - Returns: their number.
    /// - Throws: ``CommandError`` if there is no such session. Then none ends.
    func end(_ ids: [String]) async throws -> Int {
        var sessions: [ListedSession] = []
        for id in ids { sessions.append(try await session(id)) }
        return try await end(sessions)
    }

    /// Ends the selected sessions, and records each.
    ///
    /// - Returns: their number.
    func end(_ selection: SessionSelection) async throws -> Int {
        var sessions: [ListedSession] = []
        // All before the first one ends, because the list could miss some otherwise.
        try await forEach(try await filter(selection)) { sessions.append($0) }
        return try await end(sessions)
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
            throw CommandError("There is no session '\(id.printable)' in the database.")
        }
        // One of four billion for each pair.
        guard found.count == 1 else {
            throw CommandError("There is more than one session '\(id.printable)': select them by account.")
        }
        return session
    }

    private func end(_ sessions: [ListedSession]) async throws -> Int {
        for session in sessions {
            try await directory.end(session)
            await context?.record(.sessionEnded, account: session.user.flatMap(AccountID.init), reason: session.brief)
        }
        return sessions.count
    }
}
