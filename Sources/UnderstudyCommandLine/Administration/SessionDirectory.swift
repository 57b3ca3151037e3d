import Accounts
import AccountsDatabase
import BusinessLogic
import SessionStorage
import UnderstudySessions

/// The sessions that operators see and end.
protocol SessionDirectory: Sendable {
    /// One page of the sessions, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - filter: which sessions.
    ///   - last: the number of the session after which the page begins; 0 for the first page.
    ///   - limit: the maximum number of sessions.
    func sessions(_ filter: SessionFilter, after last: Int, limit: Int) async throws -> [ListedSession]

    /// What the session with an ID contains; `nil` if it has ended.
    func content(of id: [UInt8]) async throws -> SharedSession?

    /// Ends the session with an ID. Does nothing if it has ended.
    func end(_ id: [UInt8]) async throws

    /// Ends the sessions that changes of accounts have revoked. In a database, they have ended with the change.
    func followRevocations() async throws
}

extension SessionDirectory {
    /// The session with an ID of eight digits; `nil` unless exactly one has them. One of four billion pairs of sessions has the same digits.
    func session(brief id: String) async throws -> ListedSession? {
        let found = try await sessions(SessionFilter(brief: id.lowercased()), after: 0, limit: 2)
        return found.count == 1 ? found.first : nil
    }
}

extension DatabaseSessionStore: SessionDirectory {
    func sessions(_ filter: SessionFilter, after last: Int, limit: Int) async throws -> [ListedSession] {
        var (last, selected) = (last, [ListedSession]())
        while selected.count < limit {
            let sessions = try await store.sharedSessions(after: last, limit: 500)
            guard let end = sessions.last else { break }
            selected += sessions.filter(filter.selects).prefix(limit - selected.count)
            last = end.number
        }
        return selected
    }

    func content(of id: [UInt8]) async throws -> SharedSession? {
        guard case .found(let session) = try await find(id, unlessVersion: 0) else { return nil }
        return session
    }

    func followRevocations() {}
}

/// Which sessions are listed or ended. What is `nil` selects all.
struct SessionFilter {
    /// The ID of eight digits.
    var brief: String?
    /// The ID of the logged-in user.
    var user: String?
    /// The latest start.
    var created: Timestamp?

    func selects(_ session: ListedSession) -> Bool {
        (user == nil || session.user == user) && (brief == nil || session.brief == brief)
            && created.map { session.created <= $0 } ?? true
    }
}

extension ListedSession {
    /// The first 32 bits of the ID, as the log contains them.
    var brief: String { StoredSession.brief(id) }
}

/// A session in a list.
struct SessionSummary: ObjectValue {
    static let object = ObjectSchema<SessionSummary>(
        showing: Member("id", \.session.brief),
        Member("account", \.session.user),
        Member("username", \.username),
        Member("created", \.session.created),
        Member("lastUsed", \.session.lastUsed),
        Member("events", \.session.events),
        Member("size", \.session.size)
    )

    let session: ListedSession
    /// The name of the logged-in user; the ID if the account does not exist any more; `nil` without a user.
    let username: String?
}
