import Accounts
import AccountsDatabase
import Addresses
import ArgumentParser
import BusinessLogic
import SessionStorage
import Understudy
import UnderstudySessions

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
        help: ArgumentHelp(
            "Only sessions without a logged-in user that were started from this IP address (of IPv6, from its /64).",
            valueName: "ip"
        )
    )
    var address: IPAddressArgument?

    @Option(
        help: ArgumentHelp("Only sessions that were started at least this time ago, such as 12h.", valueName: "time")
    )
    var olderThan: TimeSpan?

    @Option(help: ArgumentHelp("Only sessions that no request has used for at least this time.", valueName: "time"))
    var unusedFor: TimeSpan?

    /// Whether all sessions are selected.
    var isEmpty: Bool { account == nil && address == nil && olderThan == nil && unusedFor == nil }

    /// Whether a session is selected.
    ///
    /// - Throws: ``CommandError`` if there is no such account.
    func filter(in database: any Database, at now: Timestamp) async throws -> (ListedSession) -> Bool {
        var user: String?
        if let account { user = try await database.knownAccount(account).id.text }
        var hash: [UInt8]?
        if let address {
            hash = AddressHash(address.address.rateLimitPrefix, key: try await database.sessions { 0 }.addressKey).bytes
        }
        let (created, lastUsed) = (olderThan.map { now - $0.duration }, unusedFor.map { now - $0.duration })
        return { [hasUser = account != nil, hasAddress = address != nil] session in
            (!hasUser || session.user == user) && (!hasAddress || session.user == nil && session.address == hash)
                && created.map { session.created <= $0 } ?? true && lastUsed.map { session.lastUsed <= $0 } ?? true
        }
    }
}

/// An IP address as an argument.
struct IPAddressArgument: ExpressibleByArgument {
    let address: IPAddress

    init?(argument: String) {
        guard let address = IPAddress(argument) else { return nil }
        self.address = address
    }
}

extension ListedSession {
    /// The first 32 bits of the ID, as the log contains them.
    var brief: String { StoredSession.brief(id) }
}

extension Database {
    /// Calls `body` with all sessions that servers share.
    func forEachSession(_ body: (ListedSession) async throws -> Void) async throws {
        var last = 0
        while true {
            let sessions = try await sharedSessions(after: last, limit: 500)
            guard let end = sessions.last else { return }
            for session in sessions { try await body(session) }
            last = end.number
        }
    }

    /// The session with an ID of eight digits.
    ///
    /// - Throws: ``CommandError`` if there is no such session, or more than one.
    func session(brief id: String) async throws -> ListedSession {
        var found: [ListedSession] = []
        try await forEachSession { if $0.brief == id.lowercased() { found.append($0) } }
        guard let session = found.first else {
            throw CommandError("There is no session '\(id.printable)' in the database.")
        }
        // One of four billion for each pair.
        guard found.count == 1 else {
            throw CommandError("There are \(found.count) sessions '\(id.printable)': select them by account.")
        }
        return session
    }
}
