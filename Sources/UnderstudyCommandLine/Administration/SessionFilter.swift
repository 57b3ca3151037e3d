import AccountsDatabase
import Addresses
import BusinessLogic
import SessionStorage
import Understudy
import UnderstudySessions

/// Which sessions are listed or ended. What is `nil` selects all.
struct SessionFilter {
    /// The ID of the logged-in user.
    var user: String?
    /// The hash of the address from which a session without a user was started.
    var address: [UInt8]?
    /// The latest start.
    var created: Timestamp?
    /// The latest use.
    var lastUsed: Timestamp?

    func selects(_ session: ListedSession) -> Bool {
        (user == nil || session.user == user) && (address == nil || session.user == nil && session.address == address)
            && created.map { session.created <= $0 } ?? true && lastUsed.map { session.lastUsed <= $0 } ?? true
    }
}

extension ListedSession {
    /// The first 32 bits of the ID, as the log contains them.
    var brief: String { StoredSession.brief(id) }
}

extension Database {
    /// Calls `body` with all sessions that servers share, in the order of their numbers, until it returns `false`.
    ///
    /// - Parameter last: the number of the session after which it begins; 0 for the first one.
    func forEachSession(after last: Int = 0, _ body: (ListedSession) async throws -> Bool) async throws {
        var last = last
        while true {
            let sessions = try await sharedSessions(after: last, limit: 500)
            guard let end = sessions.last else { return }
            for session in sessions where try await !body(session) { return }
            last = end.number
        }
    }

    /// The sessions with an ID of eight digits: usually one at most.
    func sessions(brief id: String) async throws -> [ListedSession] {
        var found: [ListedSession] = []
        let id = id.lowercased()
        try await forEachSession {
            if $0.brief == id { found.append($0) }
            return true
        }
        return found
    }

    /// The session with an ID of eight digits.
    ///
    /// - Throws: ``CommandError`` if there is no such session, or more than one.
    func session(brief id: String) async throws -> ListedSession {
        let found = try await sessions(brief: id)
        guard let session = found.first else {
            throw CommandError("There is no session '\(id.printable)' in the database.")
        }
        // One of four billion for each pair.
        guard found.count == 1 else {
            throw CommandError("There are \(found.count) sessions '\(id.printable)': select them by account.")
        }
        return session
    }

    /// The hash by which sessions without a user are counted for an address.
    func hash(of address: IPAddress) async throws -> [UInt8] {
        AddressHash(address.rateLimitPrefix, key: try await sessions { 0 }.addressKey).bytes
    }
}
