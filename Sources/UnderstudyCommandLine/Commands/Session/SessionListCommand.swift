import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic
import Understudy

/// `understudy session list`.
struct SessionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List sessions, in the order in which they were started.",
        discussion: HelpText.exit
    )

    @OptionGroup var selection: SessionSelection

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let settings = try await storage.configuration.settings()
        let opened = try await AdminContext.open(storage, settings, creating: false)
        let (database, now) = (opened.database, try await opened.database.time)
        let filter = try await selection.filter(in: database, at: now)
        if !json { Terminal.print(Terminal.strong(Self.row("ID", "STARTED", "LAST USED", "EVENTS", "BYTES", "USER"))) }
        var users: [String: String] = [:]
        try await database.forEachSession { session in
            guard filter.selects(session) else { return true }
            var username: String?
            if let user = session.user {
                // The names of a thousand users are in memory at most.
                if users.count > 1000 { users = [:] }
                if users[user] == nil { users[user] = try await database.account(AccountID(user))?.username ?? user }
                username = users[user]
            }
            if json {
                Terminal.print(String(decoding: session.value(username).json, as: UTF8.self), terminator: "")
                return true
            }
            Terminal.print(
                Self.row(
                    session.brief,
                    session.created.brief,
                    session.lastUsed.brief,
                    "\(session.events)",
                    "\(session.size)",
                    username?.printable ?? "-"
                )
            )
            return true
        }
    }

    private static func row(_ texts: String...) -> String {
        let columns = zip(texts, [8, 20, 20, 6, 8, 0]).map { text, width in
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return columns.joined(separator: "  ")
    }
}

extension ListedSession {
    /// A line of JSON.
    fileprivate func value(_ username: String?) -> Value {
        var object: Value.Object = [
            "id": .string(brief), "created": .string(created.text), "lastUsed": .string(lastUsed.text),
        ]
        if let user { object["account"] = .string(user) }
        if let username { object["username"] = .string(username) }
        object["events"] = Value(events)
        object["size"] = Value(size)
        return .object(object)
    }
}
