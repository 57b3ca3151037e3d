import Accounts
import AccountsDatabase
import OperatorPages
import SessionStorage

/// The names of the users of sessions.
struct Usernames {
    /// The database of the accounts; `nil` without one.
    let database: (any Database)?
    private var names: [String: String] = [:]

    init(database: (any Database)?) {
        self.database = database
    }

    /// The name of the account with that ID; the ID if there is no such account, and an empty text without an ID.
    mutating func name(of user: String?) async throws -> String {
        guard let user else { return "" }
        if let name = names[user] { return name }
        let name = try await database?.account(AccountID(user))?.username ?? user
        // The names of a thousand users are in memory at most.
        if names.count >= 1000 { names = [:] }
        names[user] = name
        return name
    }
}

extension SessionSummary {
    init(_ session: ListedSession, username: String) {
        self.init(
            number: session.number,
            id: session.brief,
            account: session.user ?? "",
            username: username,
            created: session.created,
            lastUsed: session.lastUsed,
            events: session.events,
            size: session.size
        )
    }
}
